/**
 * Lists of small numbers as bytes (LEB128). History is mostly such lists, which commits touched a file and which
 * files a commit touched: as rows they would cost ten times the space and most of the indexing time.
 */
export interface Bytes {
  readonly length: number;
  /** The underlying array; replaced when it grows. */
  readonly array: Uint8Array;
  number(value: number): void;
  /** For numbers that may be negative. */
  signed(value: number): void;
  append(bytes: Uint8Array): void;
  reset(): void;
  /** A copy of what was written. */
  copy(from?: number, to?: number): Uint8Array;
}

export function createBytes(capacity = 256): Bytes {
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
    get array() {
      return array;
    },
    number,
    signed: (value) => number(value < 0 ? -value * 2 - 1 : value * 2),
    append: (bytes) => {
      reserve(bytes.length);
      array.set(bytes, length);
      length += bytes.length;
    },
    reset: () => {
      length = 0;
    },
    copy: (from = 0, to = length) => array.slice(from, to),
  };
}

/** Reads numbers one after the other. */
export interface ByteReader {
  at: number;
  readonly end: number;
  number(): number;
  signed(): number;
}

export function readBytes(array: Uint8Array, from = 0, end = array.length): ByteReader {
  const reader: ByteReader = {
    at: from,
    end,
    number: () => {
      let byte = array[reader.at++]!;
      if (byte < 128) return byte;
      let value = byte & 127;
      let factor = 128;
      do {
        byte = array[reader.at++]!;
        value += (byte & 127) * factor;
        factor *= 128;
      } while (byte > 127);
      return value;
    },
    signed: () => {
      const value = reader.number();
      return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    },
  };
  return reader;
}

/** A list of ids in a meaningful order, stored as differences. */
export function packIds(ids: ArrayLike<number>): Uint8Array {
  const bytes = createBytes(ids.length * 2 + 8);
  let before = 0;
  for (let at = 0; at < ids.length; at++) {
    bytes.signed(ids[at]! - before);
    before = ids[at]!;
  }
  return bytes.copy();
}

export function unpackIds(array: Uint8Array | null | undefined): number[] {
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
export const packFixed = (values: Int32Array): Uint8Array =>
  new Uint8Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength));

export function unpackFixed(array: Uint8Array | null | undefined): Int32Array {
  if (!array) return new Int32Array(0);
  return new Int32Array(array.buffer.slice(array.byteOffset, array.byteOffset + array.byteLength));
}

/** An Int32Array that grows. `numbersOf` starts with what is there already. */
export interface Numbers {
  readonly length: number;
  readonly array: Int32Array;
  push(value: number): void;
  set(at: number, value: number): void;
  view(): Int32Array;
}

export const createNumbers = (capacity = 1024, fill = 0): Numbers =>
  growing(new Int32Array(capacity).fill(fill), 0, fill);

export function numbersOf(values: Int32Array, fill = 0): Numbers {
  const array = new Int32Array(values.length + 64).fill(fill);
  array.set(values);
  return growing(array, values.length, fill);
}

function growing(array: Int32Array, length: number, fill: number): Numbers {
  const reserve = (size: number) => {
    if (size <= array.length) return;
    const larger = new Int32Array(Math.max(array.length * 2, size)).fill(fill);
    larger.set(array);
    array = larger;
  };
  return {
    get length() {
      return length;
    },
    get array() {
      return array;
    },
    push: (value) => {
      reserve(length + 1);
      array[length++] = value;
    },
    set: (at, value) => {
      reserve(at + 1);
      array[at] = value;
      if (at >= length) length = at + 1;
    },
    view: () => array.subarray(0, length),
  };
}
