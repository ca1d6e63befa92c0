import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { launcher } from './support/program.ts';
import { testRepository } from './support/repository.ts';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

test('servers whose client is killed end by themselves', async () => {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': '' });
  const client = `
    const { spawn } = require('node:child_process');
    const servers = Array.from({ length: 3 }, () => spawn(${JSON.stringify(launcher())}, ['mcp', '--no-index'], { cwd: ${JSON.stringify(repository.path)} }));
    for (const server of servers) {
      server.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }) + '\\n');
      server.stdout.once('data', () => process.stdout.write(server.pid + '\\n'));
    }
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', client], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  parent.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const pids = () => said.trim().split('\n').filter(Boolean).map(Number);
  await expect.poll(() => pids().length).toBe(3);
  parent.kill('SIGKILL');
  await expect.poll(() => pids().filter(alive)).toEqual([]);
});
