import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { handbookShop } from './handbook-shop.ts';
import { launcher } from './program.ts';
import { temporaryDirectory } from './temporary.ts';

export const handbook = join(import.meta.dirname, '../../docs/handbook');

interface Example {
  command: string;
  shown: string[];
}

/** Commands of a page (`$ …` in its console blocks) with the lines that it shows below them. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(join(handbook, page), 'utf8');
  const lines = [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );
  const examples: Example[] = [];
  for (const line of lines) {
    if (line.startsWith('$ ')) examples.push({ command: line.slice(2), shown: [] });
    else examples.at(-1)?.shown.push(line);
  }
  return examples;
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `…` alone on a line is any number of lines; within one it is any text. */
function isShown(shown: string[], printed: string[]): boolean {
  const pattern = shown
    .map((line) => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literally).join('.*')} *\\n`))
    .join('');
  return new RegExp(`^${pattern}$`, 'u').test(printed.map((line) => `${line}\n`).join(''));
}

/** Runs every example of a page in a shop of its own, and answers those that print something else than the page says. */
export function untrueExamples(page: string): string[] {
  const directory = temporaryDirectory('handbook');
  const programs = join(directory, 'bin');
  mkdirSync(programs);
  symlinkSync(launcher(), join(programs, 'sylk'));
  const { path } = handbookShop(join(directory, 'shop'));
  const env = {
    ...process.env,
    SYLK_HOME: join(directory, 'home'),
    PATH: `${programs}:${process.env['PATH']}`,
  };
  return examplesOf(page).flatMap(({ command, shown }) => {
    // Progress goes to standard error; so do errors, which a page shows with the exit code.
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: path, env, encoding: 'utf8' });
    const ended = status === 0 ? '' : `${stderr}(exit code ${status})`;
    const said = `${stdout}${ended}`
      .split('\n')
      .filter((line, at, all) => line !== '' || at < all.length - 1);
    const isTold = status === 0 || shown.at(-1) === said.at(-1);
    return isTold && isShown(shown, said) ? [] : [`$ ${command}\n${said.join('\n')}`];
  });
}
