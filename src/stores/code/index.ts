// Owns: code_* tables of the index: files, symbols, their words, facts and links, skipped files; parse workers.
// Knows: base/syntax, base/git, SQLite.
// Must not know: history, vectors, who asks.

import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { leaseHolder } from '../../base/durable/index.ts';
import { createGit, type Git, type Repository } from '../../base/git/index.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import {
  type CompileReport,
  type CompilerLimits,
  compileLinks,
  followServed,
  openCompiler,
} from './compiler/index.ts';
import { currentView, type Freshness, readFreshness } from './freshness.ts';
import type { ParsePoolOptions } from './parse-pool.ts';
import { createQueries } from './query.ts';
import { importScip, type ScipReport } from './scip/import.ts';
import { codeTables } from './tables.ts';
import type { IngestPlace, UpdateOptions, UpdateReport } from './update.ts';

export type { CompileReport } from './compiler/index.ts';
export type { EdgeKind } from './edge.ts';
export type { Freshness } from './freshness.ts';
export { importCycles } from './overview.ts';
export type { FileRecord, FoundSymbol, LinkedSymbol } from './query.ts';
export { reachedFiles } from './reach.ts';
export type { Directory } from './structure.ts';
export { linkedSymbolSchema, type SymbolRecord, symbolSchema } from './symbol.ts';
export type { UpdateOptions, UpdateReport } from './update.ts';

export type CodeStore = ReturnType<typeof openCode>;

export interface CodeOptions {
  sqlite: () => Sqlite;
  git: Git;
  repository: Repository;
  settings: { exclude: string[]; max_file_bytes: number; workers: number; compiler_megabytes?: number };
  /** Folders, relative to the root, whose text is for agents and not code. */
  agentFolders?: () => Promise<string[]>;
  pool?: ParsePoolOptions;
  compiler?: CompilerLimits;
  served?: { programs?: Record<string, string>; timeoutMs?: number };
  clock?: Clock;
}

/** The lease for updates; its holder is updating. */
export const updateLease = 'indexing';

export function openCode(options: CodeOptions) {
  const { repository } = options;
  let ready: Sqlite | undefined;
  const sqlite = () => {
    const opened = options.sqlite();
    if (ready !== opened) {
      ensureDerived(opened, codeTables);
      ready = opened;
    }
    return opened;
  };
  const bareMain = repository.bare || repository.mainRoot === repository.commonDirectory;
  const place = (): IngestPlace => ({
    sqlite: sqlite(),
    git: options.git,
    mainGit: repository.linkedWorktree && !bareMain ? createGit(repository.mainRoot) : options.git,
    root: repository.root,
    mainRoot: repository.mainRoot,
    linkedWorktree: repository.linkedWorktree,
    bareMain,
    settings: {
      exclude: options.settings.exclude,
      maxBytes: options.settings.max_file_bytes,
      agentFolders: options.agentFolders ?? (async () => []),
    },
    pool: { workers: options.settings.workers > 0 ? options.settings.workers : undefined, ...options.pool },
    clock: options.clock ?? systemClock,
  });
  const view = () => (repository.linkedWorktree ? (currentView(place())?.id ?? 0) : 0);
  const compiler = openCompiler({ megabytes: options.settings.compiler_megabytes, ...options.compiler });
  return {
    ...createQueries(sqlite, view),
    /**
     * Replaces links of TypeScript and JavaScript by those of their compiler, and asks the language servers of the person for open calls of
     * other languages, as far as that is not done.
     */
    compile: async (request?: Pick<UpdateOptions, 'signal' | 'progress'>): Promise<CompileReport> => {
      const report = await compileLinks(place(), compiler, request);
      const megabytes = options.settings.compiler_megabytes ?? 1500;
      const served = await followServed(place(), { megabytes, ...options.served }, request);
      return served.length > 0 ? { ...report, served } : report;
    },
    /** Takes the links of a SCIP index that a person named, as far as it fits the files. */
    importScip: (bytes: Uint8Array): ScipReport => importScip(place(), bytes),
    close: () => compiler.close(),
    /** Reads what changed on disk and links it. Reports what was parsed, removed and skipped. */
    update: async (request?: UpdateOptions): Promise<UpdateReport> => {
      // Queries never load the parsers.
      const { updateCode } = await import('./ingest.ts');
      return updateCode(place(), request);
    },
    /** A named state, checked against the disk; with `trust`, the watcher is believed. */
    freshness: ({ trust = false } = {}): Promise<Freshness> =>
      readFreshness(place(), () => leaseHolder(sqlite(), updateLease) !== undefined, trust),
    /** Incremented with every change of the answers; caches key on it. */
    generation: () => currentView(place())?.generation ?? 0,
    /** True in a linked worktree that differs from the base. */
    differs: () =>
      view() !== 0 && sqlite().value('SELECT 1 FROM code_files WHERE view = ? LIMIT 1', view()) === 1,
  };
}
