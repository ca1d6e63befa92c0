import { endGroup, spawnGroup, watchMemory } from '../../../base/process/index.ts';

export interface LanguageServerOptions {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** What the server is told when it asks for its settings. */
  settings: object;
  /** True for the message that says that it has found its files. Without it, the server is ready at once. */
  isReady?: ((message: ServerMessage) => boolean) | undefined;
  /** Of the memory of the server and what it starts. It is ended beyond that. */
  megabytes?: number | undefined;
}

export interface ServerMessage {
  id?: number;
  method?: string;
  params?: { message?: string; items?: unknown[]; token?: unknown; value?: { kind?: string } };
  result?: unknown;
}

const headEnd = '\r\n\r\n';

/** One program that speaks the Language Server Protocol over its standard streams. It ends with `close`, and with us. */
export function startLanguageServer(command: string, options: LanguageServerOptions) {
  const child = spawnGroup(command, options.args, { cwd: options.cwd, env: options.env });
  const waiting = new Map<number, (result: unknown) => void>();
  const ready = Promise.withResolvers<void>();
  let received: Buffer = Buffer.alloc(0);
  let last = 0;
  let hasEnded = false;

  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}${headEnd}${text}`);
  };
  const end = () => {
    hasEnded = true;
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
    ready.resolve();
  };
  if (options.megabytes !== undefined)
    watchMemory(child, { memoryBytes: options.megabytes * 1024 ** 2 }, () => endGroup(child), {
      withChildren: true,
    });
  if (!options.isReady) ready.resolve();
  const take = (message: ServerMessage) => {
    const { id, method, params, result } = message;
    if (options.isReady?.(message)) ready.resolve();
    if (method === undefined) {
      waiting.get(id ?? -1)?.(result);
      waiting.delete(id ?? -1);
    } else if (id !== undefined)
      // Settings are the only thing that it may ask of us.
      send({
        id,
        result: method === 'workspace/configuration' ? params?.items?.map(() => options.settings) : null,
      });
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf(headEnd);
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, head).toString())?.[1]);
      if (head < 0 || received.length < head + headEnd.length + length) return;
      const body = received.subarray(head + headEnd.length, head + headEnd.length + length);
      received = received.subarray(head + headEnd.length + length);
      take(JSON.parse(body.toString()));
    }
  });
  child.stdin.on('error', end);
  child.on('error', end);
  child.on('close', end);
  // What it says there is for its makers.
  child.stderr.resume();

  return {
    /** True where it has ended: every answer is then undefined. */
    hasEnded: () => hasEnded,
    ready: ready.promise,
    notify: (method: string, params: object) => send({ method, params }),
    request: (method: string, params: object): Promise<unknown> =>
      hasEnded
        ? Promise.resolve(undefined)
        : new Promise((resolve) => {
            waiting.set(++last, resolve);
            send({ id: last, method, params });
          }),
    close: () => endGroup(child),
  };
}
