import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openTmux } from '../tests/support/tmux.ts';
import { drives, makeRepository, programOf } from './clients/drives.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';
import { type Measured, measure, measuredLine } from './terminal/measure.ts';
import { startStreamingModel } from './terminal/streaming-model.ts';

const root = join(import.meta.dirname, '..');
const launcher = join(root, 'bin/sylk');
const size = { columns: 160, rows: 45 };

/**
 * The terminal through tmux. `--from DIRECTORY` has a repository to work in; further ones are places that npm installed gemini-cli and
 * opencode into. `--commands storm,paste,kills,twelve,beside` chooses; `--cases` is the number of kills and of changes of size.
 */
const lab: Bench = async ({
  from,
  commands = 'storm,paste,kills,twelve,beside',
  cases = '20',
  minutes,
  seed = '1',
}) => {
  // Not in /tmp: a sandbox hides it.
  const base = join(root, 'node_modules/.cache');
  mkdirSync(base, { recursive: true });
  const place = mkdtempSync(join(base, 'sylk-terminal-'));
  const repository = join(place, 'repository');
  const given = from.find((path) => existsSync(join(path, '.git')));
  // Cloned: what Sylk knows of the original is not this clone's.
  if (given) spawnSync('git', ['clone', '-q', given, repository]);
  else makeRepository(repository);
  const world: World = {
    place,
    repository,
    clients: from,
    cases: Number(cases),
    seed: Number(seed),
    seconds: Math.max(5, Math.min(60, minutes * 2)),
  };
  let failures = 0;
  const check = (label: string, holds: boolean, about: unknown = '') => {
    if (!holds) failures += 1;
    console.log(`${holds ? 'ok    ' : 'FAILED'} ${label}${holds ? '' : `\n${about}`}`);
  };
  for (const name of commands.split(',')) await scenes[name]?.(world, check);
  rmSync(place, { recursive: true, force: true });
  if (failures > 0) throw new Error(`${failures} failed`);
};
export default lab;

interface World {
  place: string;
  repository: string;
  clients: string[];
  cases: number;
  seed: number;
  seconds: number;
}
type Check = (label: string, holds: boolean, about?: unknown) => void;

const open = ({ place, repository }: World, home: string, more: { columns?: number; rows?: number } = {}) =>
  openTmux({
    cwd: repository,
    command: ['sh', launcher],
    env: { SYLK_HOME: join(place, home), HOME: place },
    columns: 80,
    rows: 24,
    ...more,
  });
const ready = '? keys · / commands';
/** What was typed last, as the file of the terminal has it. */
const keptDraft = ({ place }: World, home: string): string => {
  const [file] = globSync(join(place, home, 'state', 'terminal', '*.jsonl'));
  const lines = file ? readFileSync(file, 'utf8').split('\n') : [];
  const drafts = lines.flatMap((line) => {
    try {
      const read = JSON.parse(line);
      return read.type === 'draft' ? [String(read.text)] : [];
    } catch {
      return [];
    }
  });
  return drafts.at(-1) ?? '';
};

const scenes: Record<string, (world: World, check: Check) => Promise<void>> = {
  /** A size every 30 ms while somebody types; afterwards the screen is that of a terminal that never changed. */
  storm: async (world, check) => {
    const draw = randomNumbers(world.seed);
    // The greeting of the first start is not said again.
    const first = open(world, 'storm');
    await first.until(/none is needed|Who shall work/);
    first.close();
    const terminal = open(world, 'storm');
    await terminal.until(ready);
    // More than a screen of answers, the last of which ends in a word of its own.
    for (const question of ['what changed lately?', 'what changed lately?', '/runs waiting']) {
      terminal.type(question);
      terminal.press('Enter');
    }
    await terminal.until('Nothing waits for you.', 120);
    const text = 'typed in a storm of sizes: 日本語 👩‍💻 é end';
    const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    for (let at = 0; at < world.cases * 10; at++) {
      terminal.resize(20 + Math.floor(draw() * 220), 6 + Math.floor(draw() * 64));
      if (at < letters.length) terminal.type(letters[at] ?? '');
      await wait(30);
    }
    terminal.resize(80, 24);
    await terminal.until(text);
    await wait(1000);
    const after = terminal.screen();
    terminal.close();
    check(`${world.cases * 10} changes of size: what was typed is there`, after.includes(text), after);
    const calm = open(world, 'storm');
    await calm.until(text);
    await calm.until('Nothing waits for you.');
    await wait(1000);
    const expected = calm.screen();
    calm.close();
    check(
      'the screen is that of a terminal that never changed its size',
      after === expected,
      `${after}\n---\n${expected}`,
    );
  },

  paste: async (world, check) => {
    const terminal = open(world, 'paste');
    await terminal.until(ready);
    const line = 'a line of 日本語 and 👩‍💻 that somebody pastes, number ';
    const text = Array.from({ length: 14_000 }, (_, at) => `${line}${at}`).join('\n');
    const bytes = Buffer.byteLength(text);
    const begun = performance.now();
    terminal.paste(text);
    await terminal.until(/paste #1/i);
    const shown = performance.now() - begun;
    terminal.type(' and then words');
    await terminal.until('and then words');
    await wait(1500);
    process.kill(terminal.program(), 'SIGKILL');
    await terminal.until('left with 137');
    terminal.close();
    const kept = keptDraft(world, 'paste');
    check(
      `a paste of ${(bytes / 1e6).toFixed(2)} MB was shown after ${shown.toFixed(0)} ms, and is whole after a kill`,
      kept === `${text} and then words`,
      `${kept.length} of ${text.length} characters`,
    );
    const again = open(world, 'paste');
    await again.until('and then words');
    check('it is in the editor of the next terminal', true);
    again.close();
  },

  /** What stood on the screen when the process was killed is there the next time. */
  kills: async (world, check) => {
    const draw = randomNumbers(world.seed + 1);
    let lost = 0;
    for (let at = 0; at < world.cases; at++) {
      const terminal = open(world, 'kills');
      await terminal.until(ready);
      terminal.press('C-u');
      const word = `k${at}x`;
      const presses = 3 + Math.floor(draw() * 40);
      for (let n = 0; n < presses; n++) {
        terminal.type(n === 0 ? word : ('abcdefghij'[n % 10] ?? 'a'));
        if (draw() < 0.3) await wait(Math.floor(draw() * 30));
      }
      await terminal.until(word);
      const shown = /^(k\d+x\S*)/m.exec(terminal.screen())?.[1] ?? '';
      process.kill(terminal.program(), 'SIGKILL');
      terminal.close();
      if (!keptDraft(world, 'kills').startsWith(shown)) lost += 1;
    }
    check(
      `${world.cases} kills while somebody typed: what was shown was kept`,
      lost === 0,
      `${lost} lost some`,
    );
  },

  twelve: async (world, check) => {
    // The floor: what tmux and the probe take, with a program that only echoes.
    const echo = openTmux({ cwd: world.repository, command: ['cat'], ...size });
    console.log(measuredLine('cat', await stream(echo, world, 'echo', 'talk')));
    const terminal = openTmux({
      cwd: world.repository,
      command: [
        process.execPath,
        join(root, 'bench/terminal/streaming-program.ts'),
        join(world.place, 'twelve'),
        'twelve',
        '10',
      ],
      ...size,
    });
    const measured = await stream(terminal, world, 'twelve', 'agent-12');
    console.log(measuredLine('sylk, twelve agents', measured));
    check('at most 15 frames a second, keys included', measured.frames / measured.seconds <= 15 + 3);
  },

  beside: async (world) => {
    const own = openTmux({
      cwd: world.repository,
      command: [
        process.execPath,
        join(root, 'bench/terminal/streaming-program.ts'),
        join(world.place, 'one'),
        'one',
        '50',
      ],
      ...size,
    });
    console.log(measuredLine('sylk, one stream', await stream(own, world, 'one', 'retry')));
    for (const client of ['gemini', 'opencode']) {
      const drive = drives.find((each) => each.client === client);
      const program = drive && programOf(drive, world.clients);
      if (!drive || !program) {
        console.log(`${client}: not installed; name the directory with --from`);
        continue;
      }
      const model = await startStreamingModel(50);
      const home = join(world.place, client);
      mkdirSync(home, { recursive: true });
      const env = drive.prepare(home, { url: model.url } as Parameters<typeof drive.prepare>[1]);
      const terminal = openTmux({
        cwd: world.repository,
        command: [program],
        env: { ...env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
        ...size,
      });
      try {
        console.log(measuredLine(`${client}, one stream`, await stream(terminal, world, client, 'retry')));
      } catch (error) {
        console.log(`${client}: ${error}`);
      }
      model.close();
    }
  },
};

async function stream(
  terminal: ReturnType<typeof openTmux>,
  { place, seconds }: World,
  name: string,
  sign: string,
): Promise<Measured> {
  try {
    // Until it takes words: some show a page first.
    await wait(name === 'gemini' || name === 'opencode' ? 30_000 : 3000);
    terminal.type('talk');
    await terminal.until('talk');
    await wait(500);
    terminal.press('Enter');
    await terminal.until(sign);
    await wait(2000);
    const output = join(place, `${name}.bytes`);
    terminal.record(output);
    return await measure(terminal, { seconds, output });
  } finally {
    terminal.close();
  }
}
