// A small MCP server for tests: `ok`, `noisy` (talks on stdout), `silent`, `crash` or `refuse`.
import { createInterface } from 'node:readline';

const behaviour = process.argv[2] ?? 'ok';
if (behaviour === 'crash') {
  console.error('cannot open the repository: no such directory');
  process.exit(3);
}
if (behaviour === 'noisy') console.log('Welcome!');
createInterface({ input: process.stdin }).on('line', (line) => {
  if (behaviour === 'silent') return;
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const say = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  if (behaviour === 'refuse') return say({ error: { code: -32603, message: 'database is newer' } });
  if (method === 'initialize')
    return say({
      result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'fake', version: '9' } },
    });
  return say({ result: { tools: [{ name: 'one' }, { name: 'two' }] } });
});
