import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSmallFile, state } from '../files/index.ts';
import { parseJsonObject } from '../json.ts';

/** A state directory that this person made, by the random id in it. */
export interface Registration {
  /** The git directory that it was made in. */
  path: string;
  created_at: string;
}

const idForm = /^[0-9a-f]{32}$/;

export const newStateId = (): string => randomBytes(16).toString('hex');

/** The id in a state directory; undefined where there is none that could be registered. */
export function readStateId(directory: string): string | undefined {
  const id = readSmallFile(join(directory, 'id'), 100)?.trim();
  return id !== undefined && idForm.test(id) ? id : undefined;
}

export function createRegister(home: string) {
  const file = (id: string) => join(home, 'register', `${id}.json`);
  const find = (id: string): Registration | undefined => {
    const { path, created_at } = parseJsonObject(readSmallFile(file(id), 20_000));
    return typeof path === 'string' ? { path, created_at: `${created_at ?? ''}` } : undefined;
  };
  const write = (id: string, path: string): void => {
    const created_at = find(id)?.created_at ?? new Date().toISOString();
    state.write(file(id), `${JSON.stringify({ path, created_at })}\n`);
  };
  const remove = (id: string): void => state.remove(file(id));
  return { find, write, remove };
}
