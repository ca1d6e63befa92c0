import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { isForPersons } from '../../src/operations/operation.ts';
import { leastRight } from '../../src/operations/rights.ts';
import type { TeamServer } from './team-server.ts';

const order = ['reader', 'writer', 'reviewer', 'admin'] as const;
/** Passes the check of the caller and fails right after it, whatever the operation is. */
const unreadable = { text: '\0' };

const codeOf = (text: string): string => (JSON.parse(text) as { error: { code: string } }).error.code;

async function overMcp({ url }: TeamServer, token: string) {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return {
    call: async (name: string) => {
      const result = await client.callTool({
        name: 'call_operation',
        arguments: { name, input: unreadable },
      });
      const [first] = result.content as Array<{ text: string }>;
      return first?.text.split(':')[0];
    },
    close: () => client.close(),
  };
}

async function asPerson(team: TeamServer, token: string, { name, effect }: AnyOperation): Promise<string> {
  if (effect !== 'decide') return codeOf((await team.call(token, name, unreadable)).text);
  const asked = await team.send(token, '/api/gesture', { operation: name, input: unreadable });
  const { gesture } = JSON.parse(asked.text) as { gesture: string };
  return codeOf((await team.send(token, `/api/${name}`, unreadable, { 'x-sylk-gesture': gesture })).text);
}

/** Every right × operation, as a person and as a service over HTTP and MCP; answers what was not as the table says. */
export async function wrongRights(
  team: TeamServer,
  operations: { http: AnyOperation[]; mcp: AnyOperation[] },
): Promise<{ wrong: string[]; calls: number }> {
  const wrong: string[] = [];
  let calls = 0;
  const check = (who: string, got: string | undefined, isAllowed: boolean) => {
    calls += 1;
    if (got !== (isAllowed ? 'VALIDATION_ERROR' : 'DENIED')) wrong.push(`${who}: ${got}`);
  };
  for (const right of order) {
    const person = await team.join(`person ${right}`, right);
    const service = await team.join(`service ${right}`, right, { kind: 'service' });
    const isEnough = (operation: AnyOperation) =>
      order.indexOf(right) >= order.indexOf(leastRight(operation));
    for (const operation of operations.http) {
      const { name } = operation;
      check(`person ${right} ${name}`, await asPerson(team, person, operation), isEnough(operation));
      const reply = codeOf((await team.call(service, name, unreadable)).text);
      check(`service ${right} ${name}`, reply, isEnough(operation) && !isForPersons(operation));
    }
    const mcp = await overMcp(team, service);
    for (const operation of operations.mcp) {
      const isAllowed = isEnough(operation) && !isForPersons(operation);
      check(`mcp ${right} ${operation.name}`, await mcp.call(operation.name), isAllowed);
    }
    await mcp.close();
  }
  return { wrong, calls };
}
