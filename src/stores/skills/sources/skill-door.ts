import {
  type Dirent,
  type Entry,
  isWithin,
  person,
  type ReadOptions,
  tree,
} from '../../../base/files/index.ts';
import type { SkillScope } from '../skill.ts';

/** How the files of a source are reached: a person's own may be links, those of a repository never are. */
export interface SkillDoor {
  /** The target of a path; undefined if it does not exist, leaves the boundary, or passes a link of a repository. */
  entry(path: string): Entry | undefined;
  /** Throws where the file may not be read. */
  read(path: string, options: ReadOptions): Buffer;
  pieces(path: string, visit: (piece: Uint8Array) => void): void;
  list(path: string): Dirent[];
  /** One name for a place, however it was reached. */
  real(path: string): string;
}

export function skillDoor(scope: SkillScope, boundary: string): SkillDoor {
  return scope === 'user' ? ownDoor(boundary) : treeDoor(boundary);
}

function treeDoor(boundary: string): SkillDoor {
  return {
    entry: (path) => {
      const entry = tree.entry(boundary, path);
      return entry?.kind === 'link' ? undefined : entry;
    },
    read: (path, options) => tree.read(boundary, path, options),
    pieces: (path, visit) => tree.pieces(boundary, path, visit),
    list: (path) => tree.list(boundary, path),
    real: (path) => path,
  };
}

function ownDoor(boundary: string): SkillDoor {
  const limit = person.entry(boundary) ? person.realPath(boundary) : boundary;
  return {
    entry: (path) => {
      try {
        person.resolveOwn(path);
        return isWithin(limit, person.realPath(path)) ? person.entry(path) : undefined;
      } catch {
        // A link that must not be followed counts as missing.
        return undefined;
      }
    },
    read: person.read,
    pieces: person.pieces,
    list: person.list,
    real: person.realPath,
  };
}
