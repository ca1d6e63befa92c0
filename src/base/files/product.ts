import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/* Files that ship with the product: grammars, models, pages. Their place is known from the code, never from outside. */

export const read = (path: string | URL) => readFileSync(path);
export const exists = (path: string): boolean => existsSync(path);
export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** A large file of which only parts are needed. */
export interface OpenFile {
  size: number;
  /** Fills the buffer from a position on, as far as the file goes; answers the bytes read. */
  read(buffer: Uint8Array, position: number): number;
  close(): void;
}

export function open(path: string): OpenFile {
  const handle = openSync(path, 'r');
  return {
    size: fstatSync(handle).size,
    read: (buffer, position) => {
      let length = 0;
      while (length < buffer.length) {
        const count = readSync(handle, buffer, length, buffer.length - length, position + length);
        if (count === 0) break;
        length += count;
      }
      return length;
    },
    close: () => closeSync(handle),
  };
}
