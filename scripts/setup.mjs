// Runs on any Node from 18 on, before the scripts that need a newer one: installs packages when they are missing or stale,
// and with --web builds the dashboard when its sources are newer than what was built.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** The newest change below a directory, in milliseconds. */
function newest(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !['dist', 'node_modules', 'operations.gen.ts'].includes(entry.name))
    .map((entry) => join(directory, entry.name))
    .reduce((latest, path) => {
      const found = statSync(path);
      return Math.max(latest, found.isDirectory() ? newest(path) : found.mtimeMs);
    }, 0);
}

const built = join(root, 'web', 'dist', 'index.html');
const sources = join(root, 'web');
if (
  process.argv.includes('--web') &&
  existsSync(join(sources, 'src')) &&
  (!existsSync(built) || statSync(built).mtimeMs < newest(sources))
) {
  console.error('Building the dashboard…');
  const binaries = join(root, 'node_modules', '.bin');
  const newer = join(binaries, process.platform === 'win32' ? 'node.exe' : 'node');
  const node = existsSync(newer) ? newer : process.execPath;
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  for (const args of [['scripts/web-types.ts'], [vite, 'build', 'web', '--logLevel', 'error']]) {
    const result = spawnSync(node, args, { cwd: root, stdio: ['ignore', 2, 2] });
    if (result.status === 0) continue;
    // Everything but the pages works without them, and a plain page is served instead.
    console.error('The dashboard could not be built; run `npm run build:web` to see why.');
    break;
  }
}
