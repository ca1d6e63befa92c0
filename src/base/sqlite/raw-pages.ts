import { state } from '../files/index.ts';
import { readFrames } from './wal-check.ts';

export type RawPages = ReturnType<typeof readPages>;

const defaultPageSize = 4096;
/** What one buffer can hold. */
const maxBytes = 2 ** 31;

/** A database file as pages, with what its write-ahead log committed on top. Nothing of it is believed. */
export function readPages(path: string) {
  const read = (name: string) =>
    state.exists(name) ? state.read(name, { limit: maxBytes }) : Buffer.alloc(0);
  const file = read(path);
  const log = read(`${path}-wal`);
  const size = pageSizeOf(file);
  const newest = new Map<number, Buffer>();
  const replaced: Buffer[] = [];
  const fromFile = (number: number): Buffer | undefined => {
    const bytes = file.subarray((number - 1) * size, number * size);
    if (bytes.length === 0) return undefined;
    return bytes.length === size ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
  };
  for (const { page, bytes, sound } of readFrames(log, size)) {
    const before = newest.get(page) ?? fromFile(page);
    if (before && !sound) replaced.push(before);
    newest.set(page, bytes);
  }
  const count = Math.max(Math.ceil(file.length / size), ...newest.keys(), 0);
  return {
    count,
    /** The newest content of a page, from 1. */
    page: (number: number) =>
      number < 1 || number > count ? undefined : (newest.get(number) ?? fromFile(number)),
    /** Content that a frame of the log replaced: looked at where rows are missing, in case the frame is wrong. */
    replaced,
  };
}

function pageSizeOf(file: Buffer): number {
  if (file.length < 100) return defaultPageSize;
  const size = file.readUInt16BE(16) === 1 ? 65_536 : file.readUInt16BE(16);
  return size >= 512 && (size & (size - 1)) === 0 ? size : defaultPageSize;
}

/** Fields of the first page that are the same in every library. SQLite believes them, or fails with another name. */
export function headerFault(first: Buffer): string | undefined {
  if (first.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    return 'the first bytes are not those of SQLite';
  const bytes = (at: number, length: number) => [...first.subarray(at, at + length)].join(' ');
  const empty = first.readUInt16BE(103) === 0;
  const fields: Array<[name: string, found: string, allowed: string[]]> = [
    ['format', bytes(18, 6), ['1 1 0 64 32 32', '2 2 0 64 32 32']],
    ['schema format', bytes(44, 4), empty ? ['0 0 0 0', '0 0 0 4'] : ['0 0 0 4']],
    ['vacuum mode', bytes(52, 4), ['0 0 0 0']],
    ['text encoding', bytes(56, 4), empty ? ['0 0 0 0', '0 0 0 1'] : ['0 0 0 1']],
    ['vacuum mode', bytes(64, 4), ['0 0 0 0']],
  ];
  const wrong = fields.find(([, found, allowed]) => !allowed.includes(found));
  return wrong && `the ${wrong[0]} of the header`;
}
