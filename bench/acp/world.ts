import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Drive, makeRepository } from '../clients/drives.ts';
import { type Script, startScriptedModel } from '../scripted-model.ts';

export const launcher = join(import.meta.dirname, '../../bin/sylk');

/** A project whose own tests can judge a change. */
export const withTests = {
  'package.json': '{"name":"tool","scripts":{"test":"node --test"}}\n',
  'retry.test.js': "require('node:test')('holds', () => {});\n",
};

export interface Run {
  code: number | null;
  result: Record<string, unknown>;
  events: Array<Record<string, unknown>>;
  milliseconds: number;
  errors: string;
}

/** A person with a repository, their own or a copy of a public one, a home and one client that is pointed at a scripted model. */
export async function makeWorld(drive: Drive, programs: string[], script: Script, clone?: string) {
  const place = mkdtempSync(join(tmpdir(), 'sylk-acp-'));
  const [home, repository] = [join(place, 'home'), join(place, 'project')];
  mkdirSync(home, { recursive: true });
  if (clone) {
    cpSync(clone, repository, { recursive: true, verbatimSymlinks: true });
    execFileSync('git', ['-C', repository, 'checkout', '-q', '-B', 'main']);
  } else makeRepository(repository, withTests);
  const model = await startScriptedModel(script);
  const own = join(home, '.sylk');
  const env = {
    ...process.env,
    PATH: [...programs, process.env.PATH].join(':'),
    HOME: home,
    SYLK_HOME: own,
    ...drive.prepare(home, model),
  };
  mkdirSync(own, { recursive: true });
  const { port } = new URL(model.url);
  writeFileSync(
    join(own, 'config.yaml'),
    `agents:\n  hosts: ["127.0.0.1:${port}"]\n  rules:\n    - { action: deny, command: touch }\n    - { action: allow, effect: command }\nmodels:\n  endpoints: { lab: "${model.url}/v1" }\n`,
  );
  const before = digestOf(place, [own, join(repository, '.git')]);

  const start = (...args: string[]) => startRun(repository, env, [...args, '--json', '--events']);
  return {
    place,
    repository,
    model,
    start,
    agent: (task: string, onStart?: (child: ChildProcess) => void) => {
      const { child, ended } = start('agent', task, ...workerOf(drive.client));
      onStart?.(child);
      return ended;
    },
    /** Files that differ outside Sylk's own state and git's directory. */
    changed: () => differences(before, digestOf(place, [own, join(repository, '.git')])),
    show: (...args: string[]) =>
      execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim(),
    /** Programs whose environment or arguments lead into this place. */
    left: async () => {
      for (let turn = 0; turn < 40 && processesIn(place).length > 0; turn++) await sleep(250);
      return processesIn(place);
    },
    close: () => {
      model.close();
      rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    },
  };
}

/** Our own loop asks the same model server. */
export const workerOf = (client: string): string[] =>
  client === 'own' ? ['--model', 'lab/script'] : ['--agent', client];

export type World = Awaited<ReturnType<typeof makeWorld>>;

function startRun(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: string[],
): { child: ChildProcess; ended: Promise<Run> } {
  const started = performance.now();
  const child = spawn('sh', [launcher, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
    child.emit('event', String(chunk));
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<Run>((resolve) =>
    child.on('close', (code) => {
      const events: Array<Record<string, unknown>> = out
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .flatMap((line) => {
          try {
            return [JSON.parse(line)];
          } catch {
            // The last line of a process that was killed.
            return [];
          }
        });
      const last = events.find(({ type }) => type === 'result')?.['output'];
      const result = typeof last === 'object' && last !== null ? { ...last } : {};
      resolve({ code, result, events, milliseconds: performance.now() - started, errors });
    }),
  );
  return { child, ended };
}

/** Resolves when the program has printed something that has these words. */
export const untilPrinted = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((resolve) => {
    let seen = '';
    child.on('event', (chunk: string) => {
      seen += chunk;
      if (seen.includes(words)) resolve();
    });
    child.on('close', () => resolve());
  });

function digestOf(root: string, without: string[]): Map<string, string> {
  const digests = new Map<string, string>();
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (without.includes(path)) continue;
      if (entry.isDirectory()) visit(path);
      else
        digests.set(
          path,
          entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'other',
        );
    }
  };
  visit(root);
  return digests;
}

/** Every file below a directory with its size and when it was changed: enough where contents are large. */
export const listingOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${mtimeMs}`;
    });

const differences = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));

/** By working directory, environment and arguments, as /proc has them. */
export function processesIn(place: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        const cwd = existsSync(`/proc/${pid}/cwd`) ? readlinkSync(`/proc/${pid}/cwd`) : '';
        return [words, environment, cwd].some((text) => text.includes(place))
          ? [`${pid} ${words.slice(0, 120)}`]
          : [];
      } catch {
        // It ended meanwhile, or is somebody else's.
        return [];
      }
    });
}
