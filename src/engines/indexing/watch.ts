import { dirname, join, sep } from 'node:path';
import { codeOf, isAbort, messageOf } from '../../base/errors.ts';
import { system, tree } from '../../base/files/index.ts';

export interface WatchOptions {
  root: string;
  gitDirectory: string;
  /** Directories, relative to the root, with relevant files. */
  directories: () => Promise<string[]>;
  /** A batch after `debounceMs` without events; `undefined` means: scan everything. */
  changed: (paths: string[] | undefined, reason: 'files' | 'git') => Promise<void>;
  warn: (line: string) => void;
  debounceMs?: number;
  pollMs?: number;
  /** The platform's watch; tests pass one that fails. */
  watchDirectory?: typeof system.watch;
}

export interface Watching {
  readonly mode: 'watching' | 'polling';
  /** Resolves when every event so far was processed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

const batchLimit = 100;
const exhausted = new Set(['EMFILE', 'ENOSPC', 'ENFILE', 'ELOOP', 'ENOMEM']);

/**
 * Watches the directories of indexed files, and the git directory for branch switches. When the system has no
 * watches or descriptors left, it logs that once and polls instead.
 */
export async function startWatching(options: WatchOptions): Promise<Watching> {
  const debounceMs = options.debounceMs ?? 100;
  const pollMs = options.pollMs ?? 2000;
  const watchers = new Map<string, system.FSWatcher>();
  const pending = new Set<string>();
  let everything = false;
  let gitMoved = false;
  let timer: NodeJS.Timeout | undefined;
  let poller: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let mode: 'watching' | 'polling' = 'watching';
  let stopped = false;

  const report = (error: unknown) => {
    if (!stopped && !isAbort(error)) options.warn(`Changes could not be indexed: ${messageOf(error)}`);
  };
  const schedule = () => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      running = running.then(flush).catch(report);
    }, debounceMs);
  };
  const flush = async () => {
    if (stopped || (!everything && !gitMoved && pending.size === 0)) return;
    const all = everything || gitMoved || pending.size > batchLimit;
    const paths = all ? undefined : [...pending];
    const reason = gitMoved ? 'git' : 'files';
    pending.clear();
    everything = false;
    gitMoved = false;
    await options.changed(paths, reason);
    // Files written into a new directory before it was watched are found by one more scan.
    if (all && mode === 'watching' && (await follow()) > 0) {
      everything = true;
      schedule();
    }
  };

  const giveUp = (code: string) => {
    if (mode === 'polling' || stopped) return;
    mode = 'polling';
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
    options.warn(
      `The system has no file watches left (${code}): polling every ${Math.round(pollMs / 1000)} s instead. ` +
        'Raise fs.inotify.max_user_watches or `ulimit -n` to enable watching.',
    );
    poll();
  };
  const poll = () => {
    poller = setTimeout(async () => {
      const began = Date.now();
      running = running.then(() => (stopped ? undefined : options.changed(undefined, 'git'))).catch(report);
      await running;
      // A slow disk or a large tree is polled less often: never more than a tenth of the time.
      if (!stopped) poller = setTimeout(poll, Math.max(0, (Date.now() - began) * 9 - pollMs));
    }, pollMs);
    poller.unref();
  };

  const attach = (key: string, absolute: string, heard: (name: string | null) => void): boolean => {
    if (watchers.has(key) || mode === 'polling') return mode === 'watching';
    try {
      const watcher = (options.watchDirectory ?? system.watch)(
        absolute,
        { persistent: false },
        (_event, name) => heard(name as string | null),
      );
      watcher.on('error', (error: NodeJS.ErrnoException) => {
        watchers.delete(key);
        watcher.close();
        if (error.code && exhausted.has(error.code)) giveUp(error.code);
        else everything = true;
        schedule();
      });
      watchers.set(key, watcher);
    } catch (error) {
      const code = codeOf(error) ?? '';
      if (exhausted.has(code)) giveUp(code);
    }
    return mode === 'watching';
  };

  const heardIn = (directory: string) => (name: string | null) => {
    if (!name) everything = true;
    else if (/^(?:\.gitignore|\.sylkignore)$/.test(name)) everything = true;
    else if (directory !== '' || !/^(?:\.git|\.sylk)$/.test(name)) {
      const path = directory === '' ? name : `${directory}/${name}`;
      const found = tree.entry(options.root, path);
      // An added or removed directory may contain anything.
      if (found?.kind === 'directory' || watchers.has(`d ${path}`)) everything = true;
      else pending.add(path);
    }
    schedule();
  };

  const follow = async (): Promise<number> => {
    const before = watchers.size;
    const wanted = new Set(['']);
    for (const directory of await options.directories())
      for (
        let here = directory;
        here !== '' && here !== '.' && !wanted.has(here);
        here = dirname(here).split(sep).join('/')
      )
        wanted.add(here);
    for (const [key, watcher] of watchers) {
      if (!key.startsWith('d ') || wanted.has(key.slice(2))) continue;
      watcher.close();
      watchers.delete(key);
    }
    for (const directory of wanted)
      if (!attach(`d ${directory}`, join(options.root, directory), heardIn(directory))) return 0;
    attach('git', options.gitDirectory, (name) => {
      if (name && !/^(?:HEAD|index|ORIG_HEAD|packed-refs|refs)$/.test(name)) return;
      gitMoved = true;
      schedule();
    });
    return watchers.size - before;
  };

  await follow();
  return {
    get mode() {
      return mode;
    },
    settled: async () => {
      while (timer !== undefined || pending.size > 0 || everything || gitMoved)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await running;
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(poller);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
      await running;
    },
  };
}
