/** One mention of a symbol in a document of a SCIP index. */
export interface Occurrence {
  /** Start line, start column, [end line,] end column, from 0. */
  range: number[];
  symbol: string;
  roles: number;
}

export interface ScipDocument {
  path: string;
  occurrences: Occurrence[];
  /** Of columns: 1 UTF-8, 2 UTF-16, 3 UTF-32; 0 where the index does not say. */
  encoding: number;
}

type Field = [number: number, value: number | Uint8Array];

/** The documents of a SCIP index, read from protobuf's wire format. Throws a RangeError where the bytes are none. */
export function* scipDocuments(bytes: Uint8Array): Generator<ScipDocument> {
  for (const [field, value] of fields(bytes))
    if (field === 2 && typeof value !== 'number') yield documentOf(value);
}

function documentOf(bytes: Uint8Array): ScipDocument {
  const document: ScipDocument = { path: '', occurrences: [], encoding: 0 };
  for (const [field, value] of fields(bytes)) {
    if (typeof value === 'number') {
      if (field === 6) document.encoding = value;
    } else if (field === 1) document.path = textOf(value);
    else if (field === 2) document.occurrences.push(occurrenceOf(value));
  }
  return document;
}

function occurrenceOf(bytes: Uint8Array): Occurrence {
  const occurrence: Occurrence = { range: [], symbol: '', roles: 0 };
  for (const [field, value] of fields(bytes)) {
    if (field === 1) occurrence.range.push(...(typeof value === 'number' ? [value] : numbers(value)));
    else if (field === 2 && typeof value !== 'number') occurrence.symbol = textOf(value);
    else if (field === 3 && typeof value === 'number') occurrence.roles = value;
  }
  return occurrence;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function* numbers(bytes: Uint8Array): Generator<number> {
  const reader = { at: 0 };
  while (reader.at < bytes.length) yield varint(bytes, reader);
}

function* fields(bytes: Uint8Array): Generator<Field> {
  const reader = { at: 0 };
  while (reader.at < bytes.length) {
    const key = varint(bytes, reader);
    const kind = key & 7;
    if (kind === 0) yield [key >>> 3, varint(bytes, reader)];
    else {
      const length = kind === 2 ? varint(bytes, reader) : fixedLengths[kind];
      if (length === undefined || reader.at + length > bytes.length) throw new RangeError('not a SCIP index');
      yield [key >>> 3, bytes.subarray(reader.at, reader.at + length)];
      reader.at += length;
    }
  }
}

const fixedLengths: Partial<Record<number, number>> = { 1: 8, 5: 4 };

function varint(bytes: Uint8Array, reader: { at: number }): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[reader.at++];
    if (byte === undefined || factor > 2 ** 49) throw new RangeError('not a SCIP index');
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
}
