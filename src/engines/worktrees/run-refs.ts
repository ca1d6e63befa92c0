import { hash } from 'node:crypto';
import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';

/** Who may write refs of a run: the holder of one command. Commands of one key go one after another. */
export interface RefsRequest {
  run: string;
  /** A node, or what stands for the branch of the run. */
  key: string;
  /** Of the event that asked for the command, and of its lease: a higher pair is newer. */
  number: number;
  epoch: number;
}

/** Refs of a run in the hands of whoever carries out a command. */
export interface HeldRefs {
  /** False where another clone had the key last: what lies here of it is older. */
  wasHere: boolean;
  /** Moves a ref from what it was, and from nothing else. False where somebody was faster. '' stands for no such ref. */
  move(ref: string, to: string, from: string): Promise<boolean>;
  /** Writes a ref of this holder's own, whatever it was; '' removes it. */
  write(ref: string, to: string): Promise<void>;
}

/** Refs of runs: in this repository alone, or also in a hub that the clones of several machines share. */
export interface RunRefs {
  hold(request: RefsRequest): Promise<HeldRefs>;
  /** Brings what others wrote of a run, and its branch where there is one. */
  read(run: string, branch?: string): Promise<void>;
  /** Writes the first ref of a run, which nobody holds yet. */
  begin(ref: string, commit: string): Promise<void>;
  /** Where the refs are, once that has answered. */
  check(): Promise<string>;
}

const zero = '0'.repeat(40);

/** Moves a ref of this repository alone; without `from`, whatever it was. '' stands for no such ref. */
export const moveRef = async (git: Git, ref: string, to: string, from?: string): Promise<boolean> => {
  const old = from === undefined ? [] : [from || zero.padEnd(to.length, '0')];
  const args = to === '' ? ['update-ref', '-d', ref] : ['update-ref', ref, to, ...old];
  return (await git.run(args, { accept: [1, 128] })).code === 0;
};

const requireMoved = (isMoved: boolean, ref: string): void => {
  if (!isMoved)
    throw new SylkError('CONFLICT', `${ref} could not be written.`, { hint: 'Run `git fsck`, then resume.' });
};

/** For a repository that nobody shares. */
export function localRefs(git: Git): RunRefs {
  const write = async (ref: string, to: string) => requireMoved(await moveRef(git, ref, to), ref);
  return {
    hold: async () => ({ wasHere: true, move: (ref, to, from) => moveRef(git, ref, to, from), write }),
    read: async () => undefined,
    begin: write,
    check: async () => git.directory,
  };
}

export interface Hub {
  /** A path or a URL. */
  address: string;
  /** For an address over HTTP. It is handed to git for fetch and push alone, so that no program of an agent meets it. */
  token?: string | undefined;
  /** Of the person's ssh agent. */
  sshSocket?: string | undefined;
}

/** What a fence says: the newest holder of a key, how often it has written, and which clone it works in. */
interface Fence {
  object: string;
  number: number;
  epoch: number;
  place: string;
}

/**
 * Refs are written to the hub first, under the lease of what was read there, and then here. Every push also moves the fence of its
 * key from what this holder wrote last: once another holder has begun, no late push of the one before it is taken.
 */
export function hubRefs({ git, hub, place }: { git: Git; hub: Hub; place: string }): RunRefs {
  const env = transportOf(hub);
  const mark = hash('sha256', place, 'hex').slice(0, 16);
  // A fetch must not bring back what a push of this process is just replacing.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const done = last.then(act);
    last = done.catch(() => undefined);
    return done;
  };
  const talk = (args: string[], accept: number[] = []) =>
    git.run(args, { env, accept, timeoutMs: 300_000 }).catch((error) => {
      throw unreachable(hub, error);
    });
  const fetch = async (...refspecs: string[]) => {
    await talk([
      ...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--prune'],
      ...[hub.address, ...refspecs],
    ]);
  };
  const fetchRun = (run: string) => fetch(`+refs/sylk/${run}/*:refs/sylk/${run}/*`);

  interface Pushed {
    ref: string;
    to: string;
    from: string;
  }
  /** All of them or none; false where one is not what it was. */
  const push = async (moves: Pushed[]): Promise<boolean> => {
    const { code, stderr } = await talk(
      [
        ...['push', '--quiet', '--atomic', '--no-verify'],
        ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
        hub.address,
        ...moves.map(({ ref, to }) => `${to}:${ref}`),
      ],
      [1],
    );
    if (code === 0) return true;
    if (/stale info|rejected|failed to update ref|cannot lock ref/i.test(stderr.toString())) return false;
    throw unreachable(hub, new Error(stderr.toString().trim().slice(-500)));
  };
  const find = (ref: string) => git.text(['rev-parse', '--verify', '--quiet', ref], { accept: [1] });
  const readFence = async (ref: string): Promise<Fence | undefined> => {
    const object = await find(ref);
    if (object === '') return undefined;
    const [number, epoch, , holder = ''] = (await git.text(['cat-file', 'blob', object])).split(' ');
    return { object, number: Number(number), epoch: Number(epoch), place: holder };
  };

  const refsOf = async (run: string): Promise<Map<string, string>> => {
    const lines = await git.text(['for-each-ref', '--format=%(refname) %(objectname)', `refs/sylk/${run}/`]);
    return new Map(lines.split('\n').map((line) => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']));
  };

  const hold = async ({ run, key, number, epoch }: RefsRequest): Promise<HeldRefs> => {
    const ref = `refs/sylk/${run}/_held/${key}`;
    let writes = 0;
    let held = '';
    /** What the hub has, as far as this holder is the one who changes it. */
    let known = new Map<string, string>();
    /** The moves, and the fence with them. */
    const pushFenced = async (...moves: Pushed[]): Promise<boolean> => {
      const text = `${number} ${epoch} ${++writes} ${mark}`;
      const to = await git.text(['hash-object', '-w', '--stdin'], { input: text });
      if (!(await push([{ ref, to, from: held }, ...moves]))) return false;
      held = to;
      await moveRef(git, ref, to);
      for (const each of moves) {
        known.set(each.ref, each.to);
        await moveRef(git, each.ref, each.to);
      }
      return true;
    };
    const begin = async (): Promise<Fence | undefined> => {
      for (let tries = 0; tries < 5; tries++) {
        await fetchRun(run);
        const fence = await readFence(ref);
        if (fence && (fence.number > number || (fence.number === number && fence.epoch > epoch)))
          throw takenOver(key);
        held = fence?.object ?? '';
        known = await refsOf(run);
        if (await pushFenced()) return fence;
      }
      throw takenOver(key);
    };
    const before = await inTurn(begin);
    const isFenced = async () =>
      (await talk(['ls-remote', hub.address, ref])).stdout.toString().startsWith(held);
    return {
      wasHere: before === undefined || before.place === mark,
      move: (name, to, from) =>
        inTurn(async () => {
          if (await pushFenced({ ref: name, to, from })) return true;
          if (await isFenced()) return false;
          throw takenOver(key);
        }),
      write: (name, to) =>
        inTurn(async () => {
          const from = known.get(name) ?? '';
          if (from !== to && !(await pushFenced({ ref: name, to, from }))) throw takenOver(key);
        }),
    };
  };
  return {
    hold,
    read: (run, branch) =>
      inTurn(async () => {
        await fetchRun(run);
        // A branch that is checked out here, or has commits of its own, is left as it is.
        if (
          branch !== undefined &&
          (await talk(['ls-remote', hub.address, `refs/heads/${branch}`])).stdout.length > 0
        )
          await talk(
            [
              'fetch',
              '--quiet',
              '--no-tags',
              '--no-write-fetch-head',
              hub.address,
              `refs/heads/${branch}:refs/heads/${branch}`,
            ],
            [1, 128],
          );
      }),
    check: async () => {
      await talk(['ls-remote', '--heads', hub.address]);
      return withoutSecrets(hub.address);
    },
    begin: (ref, commit) =>
      inTurn(async () => {
        requireMoved(await push([{ ref, to: commit, from: '' }]), ref);
        requireMoved(await moveRef(git, ref, commit), ref);
      }),
  };
}

const takenOver = (key: string): SylkError =>
  new SylkError('CONFLICT', `Another worker has taken ${key} over: nothing of this one is taken any more.`, {
    hint: '`sylk run show` says how it goes on.',
  });

const unreachable = ({ address }: Hub, error: unknown): SylkError =>
  new SylkError('UNAVAILABLE', `The hub ${withoutSecrets(address)} did not answer: ${reasonOf(error)}`, {
    hint: 'Check that the server runs, and that its address and token are right. `sylk doctor` says more.',
  });

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 3).join(' ').slice(0, 400);

const withoutSecrets = (address: string): string => address.replace(/\/\/[^@/]*@/, '//');

function transportOf({ address, token, sshSocket }: Hub): Record<string, string> {
  const scheme = /^([a-z+]+):\/\//i.exec(address)?.[1]?.toLowerCase();
  const isShort = /^[\w.-]+@[\w.-]+:/.test(address);
  const protocol = isShort ? 'ssh' : (scheme ?? 'file');
  if (!['file', 'http', 'https', 'ssh'].includes(protocol))
    throw new SylkError('VALIDATION_ERROR', `A hub can't be reached over ${protocol}.`, {
      hint: 'Give a path, or an address with https://, ssh:// or http://.',
    });
  return {
    GIT_ALLOW_PROTOCOL: protocol,
    ...(sshSocket ? { SSH_AUTH_SOCK: sshSocket } : {}),
    ...(token
      ? {
          GIT_CONFIG_COUNT: '1',
          GIT_CONFIG_KEY_0: 'http.extraHeader',
          GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}`,
        }
      : {}),
  };
}
