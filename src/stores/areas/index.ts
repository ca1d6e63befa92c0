/**
 * Owns: molecules, atoms with their path patterns, and the changelog.
 * Knows: the library; whether a project or task exists, by asking.
 * Must not know: how work is organized, git, files, or who asks.
 */
import { bindAll } from '../../base/bind.ts';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { appendChangelog, searchChangelog } from './changelog.ts';
import type { AreasContext, Surroundings } from './context.ts';
import { areaDocument, areaDocuments, putAreaDocument } from './exchange.ts';
import {
  countAreas,
  createAtom,
  createMolecule,
  deleteAtom,
  deleteMolecule,
  removeProjectAreas,
  updateAtom,
  updateMolecule,
} from './ingest.ts';
import { type PathIndexes, pathContext } from './path-context.ts';
import { getAtom, getMolecule, searchAtoms, searchMolecules } from './query.ts';
import { allTexts, createAreaWords, searchAreaText, textsOf } from './search.ts';
import { migrations } from './tables.ts';

export * from './area.ts';
export type { AreaDocument } from './exchange.ts';
export type { MatchedAtom, PathContext } from './path-context.ts';
export { createPathIndex } from './path-index.ts';
export type { AreaHit } from './search.ts';

export interface AreasOptions {
  library: Library;
  clock: Clock;
  around: Surroundings;
  /** Where words are indexed; in memory when omitted. */
  index?: (() => Sqlite) | undefined;
}

type Opened = AreasContext & { indexes: PathIndexes };
export function openAreas({ library, clock, around, index }: AreasOptions) {
  library.migrate(migrations);
  const words = createAreaWords(library, index);
  const context: Opened = { library, clock, words, around, indexes: new Map() };
  return bindAll(context, {
    allTexts,
    appendChangelog,
    areaDocument,
    areaDocuments,
    countAreas,
    createAtom,
    createMolecule,
    deleteAtom,
    deleteMolecule,
    getAtom,
    getMolecule,
    pathContext,
    putAreaDocument,
    removeProjectAreas,
    searchAreaText,
    searchAtoms,
    searchChangelog,
    searchMolecules,
    textsOf,
    updateAtom,
    updateMolecule,
  });
}

export type Areas = ReturnType<typeof openAreas>;
