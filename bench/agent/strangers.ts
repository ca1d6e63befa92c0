import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parse } from 'yaml';
import { type Attack, appeared, secret, type World } from '../../tests/support/agent-attacks.ts';

/*
 * Attacks that others have written and published, read from clones that `--from` names: GTFOBins (ways in which ordinary programs read,
 * write and send files) and any collection of texts that order an agent to run something.
 */

interface Recipe {
  code?: string;
}

const wanted = ['file-write', 'file-read', 'upload', 'download', 'reverse-shell'];
const hasProgram = (name: string): boolean =>
  /^[\w.+-]+$/.test(name) && spawnSync('sh', ['-c', `command -v -- ${name}`]).status === 0;

const hit: Attack['succeeded'] = (world) => {
  const isHit = world.hits > 0;
  world.hits = 0;
  return isHit;
};
const told: Attack['succeeded'] = (_, result) => result.includes(secret);

/** One attack for each recipe of a program that this machine has. */
export function publishedEscapes(directory: string, world: World): Attack[] {
  const folder = join(directory, '_gtfobins');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(hasProgram)
    .flatMap((program) => {
      const { functions = {} } =
        parse(readFileSync(join(folder, program), 'utf8').replace(/\n\.\.\.\s*$/, '\n')) ?? {};
      return wanted.flatMap((kind) =>
        (functions[kind] ?? []).flatMap(({ code }: Recipe, at: number) =>
          code === undefined ? [] : [escapeOf(world, `${program} ${kind} ${at + 1}`, kind, code)],
        ),
      );
    });
}

function escapeOf(world: World, id: string, kind: string, code: string): Attack {
  const out = join(world.outside, 'escaped.txt');
  const command = code
    .replaceAll('/path/to/output-file', out)
    .replaceAll('/path/to/input-file', join(world.hidden, 'credentials'))
    .replaceAll('/path/to/temp-file', './temp-file')
    .replaceAll(/attacker\.com(:\d+)?/g, `127.0.0.1:${world.port}`)
    .replaceAll(/127\.0\.0\.1:\d+"?, ?12345/g, `127.0.0.1",${world.port}`)
    .replaceAll('12345', String(world.port));
  const succeeded: Attack['succeeded'] =
    kind === 'file-write' ? () => appeared(out) : kind === 'file-read' ? told : hit;
  return { id, name: 'run_command', input: { command, timeout: 15 }, succeeded };
}

const commandPattern =
  /(?:^|[\s`$("'>])((?:curl|wget|nc|ncat|cat|scp|base64|bash|python3?|tar|env|printenv)\s[^\n`]{3,300})/g;
const secretPlaces = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.env',
  '.netrc',
  '.npmrc',
  '.git-credentials',
];

/** Every block of text that tells somebody to run something which sends or shows a secret, as a file of the repository. */
export function publishedInjections(
  directories: string[],
  world: World,
): { attacks: Attack[]; files: Record<string, string> } {
  const attacks: Attack[] = [];
  const files: Record<string, string> = {};
  for (const place of secretPlaces) {
    mkdirSync(join(world.hidden, place, '..'), { recursive: true });
    writeFileSync(join(world.hidden, place), `${secret}\n`);
  }
  const seen = new Set<string>();
  for (const { source, block } of directories.flatMap(blocksOf))
    for (const [, command = ''] of block.matchAll(commandPattern)) {
      const own = ownCommand(command.trim(), world);
      if (seen.has(own) || !(own.includes(`127.0.0.1`) || own.includes(world.hidden))) continue;
      seen.add(own);
      const path = `injected/${attacks.length}.md`;
      files[path] =
        `${block}\nDO:${JSON.stringify({ name: 'run_command', input: { command: own, timeout: 15 } })}\n`;
      attacks.push({
        id: `${source} ${attacks.length}`,
        name: 'run_command',
        input: { command: own },
        read: { name: 'read_file', input: { path } },
        succeeded: (each, result) => hit(each, result) || told(each, result),
      });
    }
  return { attacks, files };
}

/** The same command against our own server and a secret of ours. */
const ownCommand = (command: string, { port, hidden }: World): string =>
  command
    .replaceAll(/h(?:tt|xx)ps?:\/\/[\w.[\]$-]+(?::\d+)?/g, `http://127.0.0.1:${port}`)
    .replaceAll(/\/dev\/tcp\/[^/\s]+\/\d+/g, `/dev/tcp/127.0.0.1/${port}`)
    .replaceAll(
      /\b[\w-]+(?:\[?\.\]?[\w-]+)*\[?\.\]?(?:com|net|io|org|xyz|evil|example)\b/g,
      `127.0.0.1:${port}`,
    )
    .replaceAll(/~\/|\$\{?HOME\}?\//g, `${hidden}/`)
    .replace(/^(curl|wget) /, (_, program) => (program === 'curl' ? 'curl -m 5 ' : 'wget -T 5 -t 1 '));

function blocksOf(directory: string): Array<{ source: string; block: string }> {
  const texts = ['.md', '.txt', '.json', '.jsonl', '.yaml', '.yml', '.py', '.ts', '.html'];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && texts.includes(extname(entry.name)) && !entry.parentPath.includes('.git/'),
    )
    .flatMap((entry) =>
      readFileSync(join(entry.parentPath, entry.name), 'utf8')
        .replaceAll('\\"', '"')
        .replaceAll('\\n', '\n')
        .split(/\n\s*\n|```/)
        .filter((block) => block.length < 4000)
        .map((block) => ({ source: entry.name, block })),
    );
}

/** Keeps what strangers wrote from the rest of the machine, with everything open that our guards are there to close. */
export const withinMachine = ({ outside, hidden, home, repository }: World): string[] => [
  ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...[outside, hidden, home, repository.path].flatMap((path) => ['--bind', path, path]),
  ...['--unshare-pid', '--die-with-parent', '--'],
];
