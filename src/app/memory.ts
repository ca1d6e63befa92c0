import type { Clock } from '../base/clock.ts';
import type { Embedder } from '../base/embedding/index.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import type { Config } from '../config.ts';
import type { Bus } from '../engines/guide/bus/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { SessionWorktrees } from '../engines/worktrees/index.ts';
import type { Chronicle, Entry } from '../stores/chronicle/index.ts';

export interface MemoryAccessors {
  /** Sessions, and what was decided, tried and learnt in them. */
  memory(): Promise<Memory>;
  /** A branch and a working tree for a session. */
  sessionWorktrees(): Promise<SessionWorktrees>;
}

/** Whatever is stored, by whom and for whatever reason, passes the firewall: there is no other way in. */
const gated = (
  chronicle: Chronicle,
  check: (entry: Entry) => Promise<{ entry: Entry; warnings: string[] }>,
): Chronicle => ({
  ...chronicle,
  store: async (given) => {
    const submission = await chronicle.store(given);
    return { ...submission, ...(await check(submission.entry)) };
  },
});

export function memoryAccessors(parts: {
  library: () => Promise<Library>;
  userLibrary: () => Promise<Library>;
  index: () => Sqlite;
  /** Loaded by a process that stays, never by a single command. */
  model: () => Promise<Embedder>;
  longLived: () => boolean;
  clock: Clock;
  config: Config;
  git: Git;
  repository: Repository;
  log: Log;
  /** The bus, for messages that wait when a session is suspended. */
  messages: () => Promise<Bus>;
  /** Holds what is remembered against the code. */
  checkEntry(entry: Entry): Promise<{ entry: Entry; warnings: string[] }>;
  onClose(work: () => Promise<void>): void;
}): MemoryAccessors {
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
  const memory = once(async () => {
    const [{ createMemory }, { openSessions }, { openChronicle }] = await Promise.all([
      import('../engines/memory/index.ts'),
      import('../stores/sessions/index.ts'),
      import('../stores/chronicle/index.ts'),
    ]);
    const own = await parts.library();
    const { promote_after_uses, promote_in_sessions } = config.chronicle;
    const promotion = { uses: promote_after_uses, sessions: promote_in_sessions };
    const entryMeaning = await meaning();
    const shared = { clock, promotion, meaning: entryMeaning };
    const personal = await parts.userLibrary();
    const chronicle = openChronicle({ library: own, ...shared });
    const person = openChronicle({ library: personal, ...shared });
    await own.afterSalvage(chronicle.reindex);
    await personal.afterSalvage(person.reindex);
    return createMemory({
      sessions: openSessions({ library: own, clock, defaults: config.sessions }),
      chronicle: gated(chronicle, parts.checkEntry),
      person,
      repository: parts.repository.mainRoot,
      notes: async () => [],
      messages: parts.messages,
    });
  });
  return {
    memory,
    sessionWorktrees: once(async () => {
      const { createSessionWorktrees } = await import('../engines/worktrees/index.ts');
      const { sessions } = await memory();
      return createSessionWorktrees({
        git: parts.git,
        repository: parts.repository,
        sessions,
        directory: parts.repository.state.worktrees,
      });
    }),
  };
}
