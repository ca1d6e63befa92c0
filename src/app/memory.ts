import type { Clock } from '../base/clock.ts';
import type { Embedder } from '../base/embedding/index.ts';
import type { EventLog } from '../base/events.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import { followWorktree } from '../base/state/index.ts';
import type { Config } from '../config.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { SessionWorktrees } from '../engines/worktrees/index.ts';
import type { Chronicle } from '../stores/chronicle/index.ts';
import type { Sessions } from '../stores/sessions/index.ts';
import type { KnowledgeAccessors } from './knowledge.ts';

export interface MemoryAccessors {
  /** Sessions, and what was decided, tried and learnt in them. */
  memory(): Promise<Memory>;
  /** A branch and a working tree for a session. */
  sessionWorktrees(): Promise<SessionWorktrees>;
}

export function memoryAccessors(parts: {
  library: () => Promise<Library>;
  userLibrary: () => Promise<Library>;
  index: () => Sqlite;
  /** Loaded by a process that stays, never by a single command. */
  model: () => Promise<Embedder>;
  longLived: boolean;
  clock: Clock;
  config: Config;
  git: Git;
  repository: Repository;
  log: Log;
  claims: KnowledgeAccessors['claims'];
  knowledge: KnowledgeAccessors['knowledge'];
  events: EventLog;
  onClose(work: () => Promise<void>): void;
}): MemoryAccessors & { chronicle(): Promise<Chronicle>; sessions(): Promise<Sessions> } {
  const { clock, config, log } = parts;
  /** Undefined where a person turned search by meaning off. */
  const meaning = once(async () => {
    if (!config.embedding.enabled) return undefined;
    const [{ createTextVectors }, { createStaticEmbedder }] = await Promise.all([
      import('../base/search/index.ts'),
      import('../base/embedding/index.ts'),
    ]);
    const { weights } = config.embedding;
    const opened = createTextVectors({
      table: 'entry_vectors',
      subject: 'Memory',
      quick: createStaticEmbedder(weights ? { weights } : {}),
      model: await parts.model(),
      longLived: parts.longLived,
      index: parts.index,
      log,
    });
    parts.onClose(opened.close);
    return opened;
  });
  const openEntries = async (opening: Promise<Library>, index?: () => Sqlite): Promise<Chronicle> => {
    const { openChronicle } = await import('../stores/chronicle/index.ts');
    const library = await opening;
    const { promote_after_uses, promote_in_sessions } = config.chronicle;
    const promotion = { uses: promote_after_uses, sessions: promote_in_sessions };
    const chronicle = openChronicle({ library, clock, promotion, meaning: await meaning(), index });
    await library.afterSalvage(chronicle.reindex);
    return chronicle;
  };
  const chronicle = once(() => openEntries(parts.library(), parts.index));
  const sessions = once(async () => {
    const { openSessions } = await import('../stores/sessions/index.ts');
    const { root, formerPathsOf, linkedWorktree, state } = parts.repository;
    const movedHere = linkedWorktree ? followWorktree(state.prepare(), parts.repository) : [];
    return openSessions({
      library: await parts.library(),
      clock,
      defaults: config.sessions,
      moved: { path: root, formerPaths: [...movedHere, ...formerPathsOf(root)] },
    });
  });
  const memory = once(async () => {
    const { createMemory } = await import('../engines/memory/index.ts');
    return createMemory({
      library: await parts.library(),
      store: await sessions(),
      chronicle: await chronicle(),
      person: await openEntries(parts.userLibrary()),
      repository: parts.repository.mainRoot,
      formerPaths: parts.repository.formerPathsOf(parts.repository.mainRoot),
      claims: parts.claims,
      knowledge: parts.knowledge,
      events: parts.events,
      messages: once(async () => {
        const { openMessages } = await import('../stores/messages/index.ts');
        return openMessages({ library: await parts.library(), clock });
      }),
    });
  });
  return {
    chronicle,
    sessions,
    memory,
    sessionWorktrees: once(async () => {
      const { createSessionWorktrees } = await import('../engines/worktrees/index.ts');
      return createSessionWorktrees({
        git: parts.git,
        repository: parts.repository,
        sessions: await sessions(),
        directory: parts.repository.state.worktrees,
      });
    }),
  };
}
