import type { RawPages } from './raw-pages.ts';
import type { Value } from './row-digest.ts';

/** One stored record: the number of its row, where its table has one, and its values in the order of storage. */
export interface RawRecord {
  rowid: bigint | undefined;
  values: Value[];
}

const tableLeaf = 13;
const tableInterior = 5;
const indexLeaf = 10;
const indexInterior = 2;
const maxDepth = 20;

/** Records of a page at the places that it names. A record that does not add up is left out. */
export function recordsOf(pages: RawPages, page: Buffer, first: boolean): RawRecord[] {
  const head = first ? 100 : 0;
  const type = page[head] ?? 0;
  if (type !== tableLeaf && type !== indexLeaf && type !== indexInterior) return [];
  return cellsOf(page, head).flatMap((at) => recordAt(pages, page, at, type) ?? []);
}

/** Records at any place of a page: for pages whose own table of contents is damaged. */
export function* recordsAnywhere(pages: RawPages, page: Buffer): Generator<RawRecord> {
  for (let at = 0; at < page.length - 3; at++)
    for (const type of [tableLeaf, indexLeaf]) {
      const record = recordAt(pages, page, at, type);
      if (record) yield record;
    }
}

/** The pages of a tree that can be reached from its root; `whole` is false where a part of it cannot. */
export function treePages(pages: RawPages, root: number): { numbers: number[]; whole: boolean } {
  const numbers: number[] = [];
  const seen = new Set<number>();
  let whole = true;
  const visit = (number: number, depth: number): void => {
    const page = pages.page(number);
    if (!page || seen.has(number) || depth > maxDepth) {
      whole = false;
      return;
    }
    seen.add(number);
    const head = number === 1 ? 100 : 0;
    const type = page[head] ?? 0;
    numbers.push(number);
    if (type === tableInterior || type === indexInterior) {
      for (const at of cellsOf(page, head))
        if (at + 4 <= page.length) visit(page.readUInt32BE(at), depth + 1);
      visit(page.readUInt32BE(head + 8), depth + 1);
    } else if (type !== tableLeaf && type !== indexLeaf) whole = false;
  };
  visit(root, 0);
  return { numbers, whole };
}

function cellsOf(page: Buffer, head: number): number[] {
  const type = page[head] ?? 0;
  const start = head + (type === tableInterior || type === indexInterior ? 12 : 8);
  const count = Math.min(page.readUInt16BE(head + 3), (page.length - start) >> 1);
  const cells: number[] = [];
  for (let index = 0; index < count; index++) {
    const at = page.readUInt16BE(start + index * 2);
    if (at >= start && at < page.length) cells.push(at);
  }
  return cells;
}

function recordAt(pages: RawPages, page: Buffer, cell: number, type: number): RawRecord | undefined {
  let at = type === indexInterior ? cell + 4 : cell;
  const total = varint(page, at);
  if (!(total >= 2 && total < 2 ** 31)) return undefined;
  at += varintSize(page, at);
  const numberAt = at;
  if (type === tableLeaf) at += varintSize(page, at);
  // The head of the record is looked at before anything is copied: most places of a page are no record at all.
  const types = recordTypes(page, at, total);
  if (!types) return undefined;
  const payload = payloadOf(pages, page, at, total, type);
  const rowid = type === tableLeaf ? rowNumber(page, numberAt) : undefined;
  return payload && { rowid, values: valuesOf(payload, types) };
}

interface RecordTypes {
  head: number;
  types: number[];
}

function recordTypes(page: Buffer, at: number, total: number): RecordTypes | undefined {
  const head = varint(page, at);
  if (!(head >= 2 && head <= total && at + head <= page.length)) return undefined;
  let body = 0;
  let offset = varintSize(page, at);
  const first = offset;
  while (offset < head) {
    const type = varint(page, at + offset);
    if (!(type < 2 ** 32) || type === 10 || type === 11) return undefined;
    body += sizeOfType(type);
    offset += varintSize(page, at + offset);
    if (head + body > total) return undefined;
  }
  if (offset !== head || head + body !== total) return undefined;
  const types: number[] = [];
  for (offset = first; offset < head; offset += varintSize(page, at + offset))
    types.push(varint(page, at + offset));
  return { head, types };
}

/** The bytes of a record, those on overflow pages too. */
function payloadOf(
  pages: RawPages,
  page: Buffer,
  at: number,
  total: number,
  type: number,
): Buffer | undefined {
  const usable = page.length;
  const most = type === tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (total <= most) return at + total <= usable ? page.subarray(at, at + total) : undefined;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((total - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  if (at + local + 4 > usable) return undefined;
  const parts = [page.subarray(at, at + local)];
  let missing = total - local;
  for (let next = page.readUInt32BE(at + local); missing > 0; ) {
    const overflow = pages.page(next);
    if (!overflow) return undefined;
    const part = overflow.subarray(4, 4 + Math.min(missing, usable - 4));
    parts.push(part);
    missing -= part.length;
    next = overflow.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

const sizesOfNumbers = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];
const sizeOfType = (type: number): number => sizesOfNumbers[type] ?? (type - 12) >>> 1;

function valuesOf(payload: Buffer, { head, types }: RecordTypes): Value[] {
  let at = head;
  return types.map((type) => {
    const bytes = payload.subarray(at, at + sizeOfType(type));
    at += bytes.length;
    if (type === 0) return null;
    if (type === 7) return bytes.readDoubleBE(0);
    if (type === 8) return 0n;
    if (type === 9) return 1n;
    if (type === 6) return bytes.readBigInt64BE(0);
    if (type < 6) return BigInt(bytes.readIntBE(0, bytes.length));
    return type % 2 === 1 ? bytes.toString('utf8') : Uint8Array.from(bytes);
  });
}

/** A number of variable length; not a number where the page ends first. Exact below 2^53, which is all that is used. */
function varint(page: Buffer, at: number): number {
  const first = page[at] ?? Number.NaN;
  if (!(first >= 128)) return first;
  let value = 0;
  for (let size = 1; size <= 9; size++) {
    const byte = page[at + size - 1] ?? Number.NaN;
    if (size === 9) return value * 256 + byte;
    value = value * 128 + (byte % 128);
    if (!(byte >= 128)) return value;
  }
  return value;
}

function varintSize(page: Buffer, at: number): number {
  let size = 1;
  while (size < 9 && (page[at + size - 1] ?? 0) >= 128) size++;
  return size;
}

function rowNumber(page: Buffer, at: number): bigint {
  const size = varintSize(page, at);
  let value = 0n;
  for (let index = 0; index < size; index++) {
    const byte = BigInt(page[at + index] ?? 0);
    value = index === 8 ? (value << 8n) | byte : (value << 7n) | (byte & 127n);
  }
  return BigInt.asIntN(64, value);
}
