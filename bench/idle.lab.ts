import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { cpuOf, descendants, residentOf } from './gold/measured-run.ts';
import type { BenchOptions } from './run-named.ts';

const root = join(import.meta.dirname, '..');
const settleSeconds = 10;

/**
 * What `sylk mcp` costs when nobody asks: it indexes a copy of `--from`, embeds, answers a question, comes to rest; then
 * memory and processor time of its whole tree over a minute (`seconds=N`).
 */
export default async function idle({ from, words, minutes }: BenchOptions): Promise<void> {
  const seconds = Number(words.find((word) => word.startsWith('seconds='))?.slice(8) ?? 60);
  const scratch = mkdtempSync(join(tmpdir(), 'sylk-idle-'));
  const repository = join(scratch, 'repository');
  execFileSync('git', ['clone', '-q', '--shared', from[0] ?? root, repository]);
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root });
  const home = join(scratch, 'home');
  mkdirSync(home);
  const client = new Client({ name: 'idle', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(root, 'dist/main.js'), 'mcp'],
    cwd: repository,
    env: { PATH: process.env['PATH']!, HOME: home, SYLK_HOME: home },
    stderr: 'ignore',
  });
  try {
    await client.connect(transport);
    const server = transport.pid!;
    console.log(`connected: ${describe(server)}`);
    const began = performance.now();
    let peak = 0;
    let quiet = 0;
    let last = used(server);
    const ask = () => client.callTool({ name: 'search_all', arguments: { query: 'how are errors handled' } });
    await ask();
    while (quiet < settleSeconds && performance.now() - began < minutes * 60_000) {
      await wait(1000);
      const now = used(server);
      quiet = now - last <= 0.02 ? quiet + 1 : 0;
      last = now;
      peak = Math.max(peak, memory(server));
    }
    const worked = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `at rest after ${worked} s and ${used(server).toFixed(1)} processor seconds, peak ${peak.toFixed(0)} MB`,
    );
    await ask();
    await wait(90_000);
    const before = used(server);
    await wait(seconds * 1000);
    console.log(
      `idle for ${seconds} s after a question: ${(used(server) - before).toFixed(2)} processor seconds; ${describe(server)}`,
    );
  } finally {
    await client.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

const used = (server: number): number => descendants(server).reduce((sum, pid) => sum + cpuOf(pid), 0);
const memory = (server: number): number => descendants(server).reduce((sum, pid) => sum + residentOf(pid), 0);

function describe(server: number): string {
  const tree = descendants(server);
  const resident = tree.some((pid) => readFileSync(`/proc/${pid}/maps`, 'utf8').includes('onnxruntime'));
  return `${tree.length} process${tree.length === 1 ? '' : 'es'}, ${memory(server).toFixed(0)} MB, model ${resident ? 'resident' : 'not resident'}`;
}
