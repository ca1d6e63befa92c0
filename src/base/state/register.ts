import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile, state } from '../files/index.ts';
import { parseJsonObject } from '../json.ts';

/** A state directory that this person made, by the random id in it. */
export interface Registration {
  /** The git directory that it was made in. */
  path: string;
  /** Where that directory was before, latest first. */
  former: string[];
  created_at: string;
  /** The id of the library in it. */
  library?: string | undefined;
}

/** Moves that are remembered. */
const maxFormer = 20;

/** The earlier paths of what is at `path` now, after it was found at `before`. */
export const formerPaths = (
  path: string,
  before: { path: string; former: string[] } | undefined,
): string[] =>
  before ? [before.path, ...before.former].filter((each) => each !== path).slice(0, maxFormer) : [];

export const pathsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

const idForm = /^[0-9a-f]{32}$/;

export const newStateId = (): string => randomBytes(16).toString('hex');

/** The id in a state directory; undefined where there is none that could be registered. */
export function readStateId(directory: string): string | undefined {
  const id = readSmallFile(join(directory, 'id'), 100)?.trim();
  return id !== undefined && idForm.test(id) ? id : undefined;
}

/** The id of a library, in the file that registers its directory. */
export function readLibraryId(file: string): string | undefined {
  const { library } = parseJsonObject(readSmallFile(file, 100_000));
  return typeof library === 'string' ? library : undefined;
}

export function writeLibraryId(file: string, library: string): void {
  const about = parseJsonObject(readSmallFile(file, 100_000));
  state.write(file, `${JSON.stringify({ ...about, library })}\n`);
}

/** The git directories in which this person has state, as far as they are still there. */
export function registeredRepositories(home: string): string[] {
  const register = createRegister(home);
  const paths = state
    .list(join(home, 'register'))
    .flatMap(({ name }) => register.find(name.replace(/\.json$/, ''))?.path ?? []);
  return [...new Set(paths)].filter((path) => state.entry(path) !== undefined).sort();
}

export function createRegister(home: string) {
  const file = (id: string) => join(home, 'register', `${id}.json`);
  const find = (id: string): Registration | undefined => {
    const { path, former, created_at } = parseJsonObject(readSmallFile(file(id), 100_000));
    return typeof path === 'string'
      ? { path, former: pathsIn(former), created_at: `${created_at ?? ''}`, library: readLibraryId(file(id)) }
      : undefined;
  };
  const write = (id: string, path: string): void => {
    const before = find(id);
    const created_at = before?.created_at ?? new Date().toISOString();
    const library = before?.library;
    const registration: Registration = { path, former: formerPaths(path, before), created_at, library };
    state.write(file(id), `${JSON.stringify(registration)}\n`);
  };
  const remove = (id: string): void => state.remove(file(id));
  return { file, find, write, remove };
}
