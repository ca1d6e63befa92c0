import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The text of a small regular file that is no link; undefined for anything else. A FIFO or a device can't hold it up. */
export function readSmallFile(path: string, maxBytes = 4096): string | undefined {
  let handle: number | undefined;
  try {
    if (!lstatSync(path).isFile()) return undefined;
    handle = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const status = fstatSync(handle);
    if (!status.isFile() || status.size > maxBytes) return undefined;
    const buffer = Buffer.alloc(status.size);
    return buffer.toString('utf8', 0, readSync(handle, buffer));
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
