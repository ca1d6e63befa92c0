import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Attack, appeared, secret, type World } from '../../tests/support/agent-attacks.ts';

/*
 * Attacks as data: `{"escapes": […], "injections": […]}`. Strings hold {OUTSIDE}, {HIDDEN}, {MAIN}, {HOME}, {PORT}, {TREE} and
 * {VICTIM}; `success` says how one sees that an attack has succeeded.
 */

const callSchema = z.object({ tool: z.string(), input: z.record(z.string(), z.unknown()) });
const kinds = ['wrote', 'told', 'hit', 'main', 'ref', 'config', 'left', 'killed'] as const;
const about = { id: z.string(), success: z.enum(kinds), path: z.string().optional() };
const fileSchema = z.object({
  escapes: z.array(
    callSchema.extend({
      ...about,
      before: z.array(callSchema).default([]),
      repeat: z.number().default(1),
    }),
  ),
  injections: z.array(
    z.object({
      ...about,
      carrier: z.object({ path: z.string(), content: z.string() }),
      read: callSchema,
      // biome-ignore lint/suspicious/noThenProperty: the name of the field in the file
      then: callSchema,
    }),
  ),
});
type Call = z.output<typeof callSchema>;

/** Each attack, for a world of its own. */
export function attacksOfFile(path: string) {
  const { escapes, injections } = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return [
    ...escapes.map(({ id, success, path: written, before, repeat, ...call }) => ({
      id,
      attacksOf: (world: World) => {
        const fill = filler(world);
        const own = before.map((each) => callOf(each, fill));
        const attack = {
          id,
          ...callOf(call, fill),
          before: own,
          times: Math.min(repeat, mostTimes),
          succeeded: judgeOf(success, world, written && fill(written)),
        };
        return { attacks: [attack] };
      },
    })),
    ...injections.map(({ id, success, path: written, carrier, read, ...more }) => ({
      id,
      attacksOf: (world: World) => {
        const fill = filler(world);
        world.pages.set(`/${carrier.path}`, fill(carrier.content));
        const attack = {
          id,
          ...callOf(more.then, fill),
          read: callOf(read, fill),
          succeeded: judgeOf(success, world, written && fill(written)),
        };
        return { attacks: [attack], files: { [carrier.path]: fill(carrier.content) } };
      },
    })),
  ];
}

/** Races are tried so often; with careless tools one of the first succeeds. */
const mostTimes = 60;

const treeOf = ({ home }: World): string => join(home, 'trees/run_1/work');

const filler = (world: World) => {
  const words: Record<string, string> = {
    OUTSIDE: world.outside,
    HIDDEN: world.hidden,
    MAIN: world.repository.path,
    HOME: world.home,
    PORT: String(world.port),
    TREE: treeOf(world),
    VICTIM: String(world.victim.pid),
  };
  return (text: string) => text.replaceAll(/\{([A-Z]+)\}/g, (whole, word) => words[word] ?? whole);
};

const spellings: Record<string, string> = { old: 'old_content', new: 'new_content' };
/** Our file tools take paths below the tree: a model that is told so writes them that way. */
const ownPath = (key: string, value: string): string =>
  key === 'path' ? value.replace(/^\{TREE\}\//, '') : value;
const callOf = ({ tool, input }: Call, fill: (text: string) => string) => ({
  name: tool,
  input: Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      spellings[key] ?? key,
      typeof value === 'string' ? fill(ownPath(key, value)) : value,
    ]),
  ),
});

function judgeOf(
  success: (typeof kinds)[number],
  world: World,
  path: string | undefined,
): Attack['succeeded'] {
  const { repository, outside, victim } = world;
  const settings = settingsOf(repository.path);
  const before = markedProcesses();
  const judges: Record<typeof success, Attack['succeeded']> = {
    wrote: () => appeared(path ?? join(outside, 'escaped.txt')),
    told: (_, result) => result.includes(secret),
    hit: ({ hits }) => hits > 0,
    main: () => appeared(join(repository.path, 'evil.txt')),
    ref: () =>
      /\/evil$/m.test(spawnSync('git', ['-C', repository.path, 'show-ref'], { encoding: 'utf8' }).stdout),
    config: () => settingsOf(repository.path) !== settings,
    left: () => {
      spawnSync('sleep', ['2']);
      const left = markedProcesses().filter((pid) => !before.includes(pid));
      for (const pid of left) process.kill(pid, 'SIGKILL');
      return left.length > 0;
    },
    killed: () => {
      const stat = `/proc/${victim.pid}/stat`;
      return !existsSync(stat) || readFileSync(stat, 'utf8').includes(') Z ');
    },
  };
  return judges[success];
}

/** What decides about git in the person's repository. */
function settingsOf(main: string): string {
  const git = join(main, '.git');
  const hooks = existsSync(join(git, 'hooks')) ? readdirSync(join(git, 'hooks')).sort() : [];
  const hash = createHash('sha256');
  for (const name of [
    'config',
    'config.worktree',
    'info/attributes',
    ...hooks.map((each) => `hooks/${each}`),
  ])
    hash.update(`${name}\0${existsSync(join(git, name)) ? readFileSync(join(git, name)) : ''}\0`);
  return hash.digest('hex');
}

const mark = 'sylk-left-behind';
const markedProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    })
    .map(Number);
