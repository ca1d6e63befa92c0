import { setImmediate as afterPoll } from 'node:timers/promises';

/** Reads a pipe, up to a limit, and tells when that is passed. */
export function collect(stream: NodeJS.ReadableStream, limit: number, full: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let cut = false;
  stream.on('data', (chunk: Buffer) => {
    const room = limit - size;
    if (room <= 0) {
      if (!cut) full();
      cut = true;
      return;
    }
    const piece = chunk.length > room ? chunk.subarray(0, room) : chunk;
    chunks.push(piece);
    size += piece.length;
    if (piece.length === chunk.length) return;
    cut = true;
    full();
  });
  const ended = new Promise<void>((resolve) => {
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
  return { ended, take: () => Buffer.concat(chunks), truncated: () => cut };
}

const drainMilliseconds = 200;

/**
 * Waits for what a program left in its pipes when it ended, and not for ever: whatever it started may hold them open. The time may be over
 * before a busy process has looked at the pipes once, so they are read once more after it.
 */
export async function drain(outputs: Array<Pick<ReturnType<typeof collect>, 'ended'>>): Promise<void> {
  const ended = Promise.all(outputs.map((output) => output.ended)).then(() => true);
  if (!(await Promise.race([ended, delay(drainMilliseconds)]))) await afterPoll();
}

const delay = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(resolve, milliseconds, false).unref());
