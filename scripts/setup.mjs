// Runs on any Node from 18 on, before the scripts that need a newer one: installs packages when they are missing or stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'node_modules', '.sylk-setup');
const wanted = createHash('sha256');
for (const name of ['package.json', 'package-lock.json'])
  if (existsSync(join(root, name))) wanted.update(readFileSync(join(root, name)));
const digest = wanted.digest('hex');

if (!existsSync(stamp) || !statSync(stamp).isFile() || readFileSync(stamp, 'utf8') !== digest) {
  console.error('Installing packages…');
  const npm = process.env.npm_execpath;
  const args = ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error(
      'npm install failed. Check the network and the registry that npm is set to, then run the same command again.',
    );
    process.exit(1);
  }
  writeFileSync(stamp, digest);
}
