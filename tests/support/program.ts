import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/sylk-program');
/** Another run may still use an older one. */
const programsKept = 8;
let built: string | undefined;

/** The program as it is shipped, built from these sources: it starts three times as fast as they do. */
export const launcher = (): string => join(program(), 'bin/sylk');
/** Starts the sources, for a test that looks at their files. */
export const sourceLauncher = join(root, 'bin/sylk');
/** What the launcher starts, for a test that needs the process itself. */
export const mainFile = (): string => join(program(), 'dist/main.js');

function program(): string {
  built ??= build();
  return built;
}

/** Builds once for each state of the sources. Two test files may both build; the first one to finish is used. */
function build(): string {
  const directory = join(cache, digestOfSources());
  if (existsSync(directory)) return directory;
  removeOld();
  const unfinished = join(cache, `unfinished-${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'scripts/build.ts'), '--program', join(unfinished, 'dist')],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The program could not be built: ${stderr}`);
  cpSync(join(root, 'bin'), join(unfinished, 'bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(unfinished, 'node_modules'));
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return directory;
}

function digestOfSources(): string {
  const digest = createHash('sha256');
  const files = [...globSync(['src/**/*', 'bin/*'], { cwd: root }), 'scripts/build.ts', 'package-lock.json'];
  for (const path of files.filter((name) => !name.endsWith('.test.ts')).sort()) {
    const { mtimeMs, size } = statSync(join(root, path));
    digest.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return digest.digest('hex').slice(0, 16);
}

function removeOld(): void {
  if (!existsSync(cache)) return;
  const ages = readdirSync(cache).map((name) => ({ name, at: statSync(join(cache, name)).mtimeMs }));
  for (const { name } of ages.sort((one, other) => other.at - one.at).slice(programsKept))
    rmSync(join(cache, name), { recursive: true, force: true });
}
