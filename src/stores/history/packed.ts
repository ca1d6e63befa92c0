/**
 * Lists of small numbers as bytes (LEB128). History is mostly such lists (the commits of a file, the files of
 * a commit): as rows they would cost ten times the space and most of the indexing time.
 */
export type Bytes = ReturnType<typeof createBytes>;

export function createBytes(capacity = 256) {
  let array = new Uint8Array(capacity);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= array.length) return;
    const larger = new Uint8Array(Math.max(array.length * 2, length + more));
    larger.set(array.subarray(0, length));
    array = larger;
  };
  const number = (value: number) => {
    reserve(8);
    while (value > 127) {
      array[length++] = (value % 128) | 128;
      value = Math.floor(value / 128);
    }
    array[length++] = value;
  };
  return {
    get length() {
      return length;
    },
    /** The numbers between two positions. */
    reader: (from: number, to: number) => readBytes(array, from, to),
    /** What was written; valid until the next write. */
    view: (from = 0, to = length) => array.subarray(from, to),
    number,
    /** For numbers that may be negative. */
    signed: (value: number) => number(value < 0 ? -value * 2 - 1 : value * 2),
    append: (bytes: Uint8Array) => {
      reserve(bytes.length);
      array.set(bytes, length);
      length += bytes.length;
    },
    reset: () => {
      length = 0;
    },
  };
}

/** Reads numbers one after the other. */
export function readBytes(array: Uint8Array, from = 0, end = array.length) {
  const reader = {
    at: from,
    end,
    number: (): number => {
      let byte = array[reader.at++] ?? 0;
      let value = byte & 127;
      for (let factor = 128; byte > 127; factor *= 128) {
        byte = array[reader.at++] ?? 0;
        value += (byte & 127) * factor;
      }
      return value;
    },
    signed: (): number => {
      const value = reader.number();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
  };
  return reader;
}

/** A list of ids in a meaningful order, stored as differences. */
export function packIds(ids: Iterable<number>): Uint8Array {
  const bytes = createBytes();
  let before = 0;
  for (const id of ids) {
    bytes.signed(id - before);
    before = id;
  }
  return bytes.view();
}

export function unpackIds(array: Uint8Array | undefined): number[] {
  if (!array) return [];
  const reader = readBytes(array);
  const ids: number[] = [];
  let value = 0;
  while (reader.at < reader.end) {
    value += reader.signed();
    ids.push(value);
  }
  return ids;
}

/** Fixed-width numbers, for what is looked up by position. */
export const packFixed = ({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

export const unpackFixed = (array: Uint8Array): Int32Array => new Int32Array(Uint8Array.from(array).buffer);

export type Numbers = ReturnType<typeof createNumbers>;

/** Numbers by position, growing as needed; `fill` where none was set. */
export function createNumbers(
  fill = 0,
  values: Iterable<number> = [],
  kind: Int32ArrayConstructor | Float64ArrayConstructor = Int32Array,
) {
  let array = kind.from(values);
  let length = array.length;
  const set = (at: number, value: number) => {
    if (at >= array.length) {
      const larger = new kind(Math.max(1024, array.length * 2, at + 1)).fill(fill);
      larger.set(array);
      array = larger;
    }
    array[at] = value;
    if (at >= length) length = at + 1;
  };
  return {
    get length() {
      return length;
    },
    get: (at: number): number => array[at] ?? fill,
    set,
    push: (value: number) => set(length, value),
  };
}
