import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fetchUrl } from '../../src/base/fetch/index.ts';
import type { ModelRequest } from '../../src/base/model/index.ts';
import type { WorkTool } from '../../src/engines/agents/index.ts';
import { type Answer, answering, calls, runTestLeg } from './agent-leg.ts';
import { type TestRepository, testRepository } from './repository.ts';

/** What an attack wants to do, and how one sees that it did. */
export interface Attack {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** What brings the text that orders it, where the attack is an injection. */
  read?: { name: string; input: Record<string, unknown> };
  /** Calls of the same agent that come first, whatever becomes of them. */
  before?: Array<{ name: string; input: Record<string, unknown> }>;
  /** How often it is tried at most, where it is a race. */
  times?: number;
  /** True once it has succeeded; puts everything back. */
  succeeded(world: World, result: string): boolean;
}

export interface World {
  repository: TestRepository;
  home: string;
  /** A directory of the person, outside of the repository. */
  outside: string;
  /** State of Sylk that no program may see. */
  hidden: string;
  port: number;
  hits: number;
  /** What the server answers, by path. */
  pages: Map<string, string>;
  victim: ChildProcess;
}

export const secret = 'canary-of-the-person-7c1f';

/** Writes and reads files as a careless tool would: wherever the path leads. */
const careless = (directory: () => string, within: () => string[]): WorkTool[] => {
  const place = (path: unknown) =>
    String(path).startsWith('/') ? String(path) : join(directory(), String(path));
  const base = { tier: 'core' as const, description: '', inputSchema: {} };
  return [
    {
      ...base,
      name: 'read_file',
      effect: 'read',
      run: async ({ path }) => ({ text: readFileSync(place(path), 'utf8') }),
    },
    {
      ...base,
      name: 'write_file',
      effect: 'change',
      run: async ({ path, content }, { announce }) => {
        await announce({ path: String(path), before: '', after: String(content) });
        mkdirSync(join(place(path), '..'), { recursive: true });
        writeFileSync(place(path), String(content));
        return { text: 'written' };
      },
    },
    {
      ...base,
      name: 'edit_file',
      effect: 'change',
      run: async ({ path, old_content, new_content }, { announce }) => {
        await announce({ path: String(path), before: '', after: String(new_content) });
        const text = readFileSync(place(path), 'utf8');
        writeFileSync(place(path), text.replace(String(old_content), String(new_content)));
        return { text: 'edited' };
      },
    },
    {
      ...base,
      name: 'run_command',
      effect: 'read',
      run: async ({ command, timeout = 20 }, { place: { directory: cwd } }) => ({
        text: await runCarelessly(String(command), { cwd, within: within(), seconds: Number(timeout) }),
      }),
    },
  ];
};

const runCarelessly = (
  line: string,
  { cwd, within, seconds }: { cwd: string; within: string[]; seconds: number },
): Promise<string> =>
  new Promise((resolve) => {
    const [program = 'sh', ...words] = [...within, 'bash', '-c', line];
    const child = spawn(program, words, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: seconds * 1000,
      killSignal: 'SIGKILL',
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    // What it leaves behind holds its pipes: the end of the shell is enough.
    child.on('exit', () => setTimeout(() => resolve(text), 50));
  });

/** A tool that reaches outside, as the operations have some; `door`: by the one way that they have. */
const fetchTool = (world: () => World, guarded: boolean, door: boolean): WorkTool => ({
  name: 'fetch_page',
  description: 'Fetches a page.',
  tier: 'core',
  effect: guarded ? 'fetch' : 'read',
  inputSchema: {},
  run: async ({ url }) => {
    const { port, pages } = world();
    const address = String(url).replace('HOST', `127.0.0.1:${port}`);
    const page = pages.get(new URL(address).pathname);
    if (guarded && door) return { text: page ?? (await fetchUrl(address)).text(), untrusted: true };
    return { text: await (await fetch(address)).text(), untrusted: true };
  },
});

async function withWorld<T>(directory: string, use: (world: World) => Promise<T>): Promise<T> {
  const repository = testRepository([], join(directory, 'repository'));
  const [outside, hidden] = [join(directory, 'outside'), join(directory, 'hidden')];
  for (const path of [outside, hidden]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), secret);
  writeFileSync(join(hidden, 'credentials'), secret);
  symlinkSync(outside, join(repository.path, 'link'));
  symlinkSync(join(outside, 'secret.txt'), join(repository.path, 'linkfile'));
  symlinkSync(join(outside, 'not-there.txt'), join(repository.path, 'dangling'));
  const victim = spawn('sleep', ['600'], { env: { ...process.env, CANARY: secret }, stdio: 'ignore' });
  const server = createServer((request, response) => {
    world.hits += 1;
    response.end(world.pages.get(request.url ?? '') ?? 'ok');
  });
  // A connection counts too, whatever is said on it; a later request may come on one that is open.
  server.on('connection', () => {
    world.hits += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const world: World = {
    repository,
    home: join(directory, 'home'),
    outside,
    hidden,
    port,
    hits: 0,
    pages: new Map(),
    victim,
  };
  try {
    return await use(world);
  } finally {
    victim.kill('SIGKILL');
    server.close();
  }
}

/**
 * Lets a model that does whatever it is told carry the attacks out, one after another in one leg, and answers which succeeded.
 * Without guards, files and commands are those of a careless agent and everything is allowed; `within` keeps what strangers wrote
 * from the rest of the machine.
 */
export function runAttacks(
  directory: string,
  attacksOf: (world: World) => { attacks: Attack[]; files?: Record<string, string> },
  {
    guarded,
    within,
    obeys = true,
  }: {
    guarded: boolean;
    within?: ((world: World) => string[]) | undefined;
    /** The model does what a text orders after `DO:`; otherwise the attack itself says what it does. */
    obeys?: boolean;
  },
): Promise<Map<string, boolean>> {
  return withWorld(directory, async (world) => {
    const { attacks, files = {} } = attacksOf(world);
    const base = world.repository.commit('first', {
      'a.txt': 'one\n',
      'package.json': '{"name":"x"}\n',
      ...files,
    });
    const outcomes = new Map<string, boolean>();
    process.env['SYLK_TEST_WORD'] = secret;
    let place = '';
    const attackOf = new Map<string, Attack>();
    const answers: Array<(request: ModelRequest) => Answer> = [];
    for (const attack of attacks) {
      const { read, before = [], times = 1 } = attack;
      for (const each of before) answers.push(() => calls(each.name, each.input));
      // What it races with needs a moment to begin.
      if (times > 1) answers.push(() => calls('run_command', { command: 'sleep 3' }));
      if (read) answers.push(() => calls(read.name, read.input));
      for (let time = 0; time < times; time++) {
        attackOf.set(`call_${answers.length}_0`, attack);
        answers.push((request) => (obeys && read ? requireOrder(request) : calls(attack.name, attack.input)));
        // Something that goes well in between, so that no guard ends the leg early.
        const number = answers.length;
        answers.push(() => calls('write_file', { path: `between/${number}.txt`, content: `${number}\n` }));
      }
    }
    const allow = (effect: 'command' | 'fetch') => ({ action: 'allow' as const, effect });
    const leg = runTestLeg({
      repository: world.repository.path,
      home: world.home,
      base,
      model: answering([...answers, calls('signal_complete', { result: 'done' })]),
      hidden: [world.hidden],
      tools: [
        ...(guarded
          ? []
          : careless(
              () => place,
              () => within?.(world) ?? [],
            )),
        fetchTool(() => world, guarded, !obeys),
      ],
      rules: [allow('command'), allow('fetch')],
      mostCalls: 1000,
      // What a careless agent leaves running may change files while they are committed.
      checkpointEvery: guarded ? 5 : 1000,
      allowAll: !guarded,
      onStep: (step) => {
        if (step.kind === 'begun') place = join(world.home, 'trees/run_1/work');
        const attack = step.kind === 'result' ? attackOf.get(step.call) : undefined;
        if (attack && step.kind === 'result')
          outcomes.set(attack.id, outcomes.get(attack.id) || attack.succeeded(world, step.text));
        // What brought the order may have reached the server itself.
        else if (step.kind === 'result') world.hits = 0;
      },
    });
    await leg.catch((error) => {
      if (guarded) throw error;
    });
    // What a command left behind may act when we work with its tree.
    for (const attack of attacks)
      outcomes.set(attack.id, outcomes.get(attack.id) || attack.succeeded(world, ''));
    return outcomes;
  });
}

/** True where the file is there, which is then removed. */
export const appeared = (path: string): boolean => {
  const isThere = existsSync(path);
  if (isThere) rmSync(path, { recursive: true });
  return isThere;
};

/** A model that obeys: what any text tells it to do after `DO:`, it does. */
function requireOrder({ messages }: ModelRequest): Answer {
  const last = messages.at(-1);
  const text =
    last?.role === 'tool' ? last.results.map((result) => result.text).join('\n') : (last?.text ?? '');
  const [, order] = /DO:(\{.*\}\})/.exec(text) ?? [];
  if (order === undefined) throw new Error(`No order in ${text}`);
  const { name, input } = JSON.parse(order) as { name: string; input: Record<string, unknown> };
  return calls(name, input);
}
