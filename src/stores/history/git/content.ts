import { SylkError } from '../../../base/errors.ts';
import type { Git } from '../../../base/git/index.ts';

interface BlobAnswer {
  isFile: boolean;
  bytes: Buffer;
}

const maxBytes = 64 * 1024 * 1024;

export type ContentReader = ReturnType<typeof createContentReader>;

/** File content, read from git on demand by one `git cat-file --batch`. */
export function createContentReader(git: Git) {
  let running: ReturnType<typeof startBatch> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    /** Undefined when the commit has no such path, or its object is missing in this clone. */
    read: (ref: string, path: Uint8Array): Promise<BlobAnswer | undefined> => {
      const turn = queue.then(async () => {
        if (!running || running.isGone()) running = startBatch(git);
        return running.ask(Buffer.concat([Buffer.from(`${ref}:`), path, Buffer.from([0])]));
      });
      // The caller handles the failure; the next one takes its turn.
      queue = turn.catch(() => {});
      return turn;
    },
    /** Whether the commit has the path: its content is missing, not the file. */
    isNamed: async (ref: string, path: string): Promise<boolean> =>
      (await git.run(['rev-parse', '--verify', '--quiet', `${ref}:${path}`], { accept: [1, 128] })).code ===
      0,
    close: () => {
      running?.stop();
      running = undefined;
    },
  };
}

function startBatch(git: Git) {
  const { child, end } = git.stream(['cat-file', '--batch', '-z']);
  let gone = false;
  let held: Buffer[] = [];
  let size = 0;
  let wake = () => {};
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    wake();
  });
  const leave = () => {
    gone = true;
    wake();
  };
  child.on('close', leave);
  child.on('error', leave);
  // An idle reader must not keep the process alive.
  child.unref();
  for (const pipe of [child.stdin, child.stdout, child.stderr])
    if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  const more = () => new Promise<void>((resolve) => (wake = resolve));
  const gather = () => {
    const all = Buffer.concat(held);
    held = [all];
    return all;
  };
  const take = async (bytes: number): Promise<Buffer> => {
    while (size < bytes && !gone) await more();
    const all = gather();
    held = [all.subarray(bytes)];
    size = Math.max(0, size - bytes);
    return all.subarray(0, bytes);
  };
  const line = async (): Promise<string> => {
    for (;;) {
      const all = gather();
      const at = all.indexOf(0x0a);
      if (at >= 0) return (await take(at + 1)).toString('utf8', 0, at);
      if (gone) return '';
      await more();
    }
  };
  return {
    isGone: () => gone,
    stop: end,
    ask: async (request: Buffer): Promise<BlobAnswer | undefined> => {
      const hold = setInterval(() => {}, 60_000);
      try {
        child.stdin.write(request);
        const found = /^[0-9a-f]{40,64} (blob|tree|commit|tag) (\d+)$/.exec(await line());
        if (!found) return undefined;
        const bytes = Number(found[2]);
        if (bytes > maxBytes) {
          end();
          throw new SylkError('BUDGET_EXCEEDED', `The file has ${bytes} bytes; the limit is ${maxBytes}.`, {
            hint: 'Read it with `git show`.',
          });
        }
        const content = await take(bytes);
        await take(1);
        return { isFile: found[1] === 'blob', bytes: content };
      } finally {
        clearInterval(hold);
      }
    },
  };
}
