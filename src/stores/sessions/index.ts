// owns: sessions, their private context, states, locks and snapshots. knows: base. must not know: chronicle, agents, git.
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { createCurrentSessions, type MovedWorktree } from './current.ts';
import { createForgetting } from './forget.ts';
import { createLocks } from './locks.ts';
import type { SessionConfig } from './session.ts';
import { createSnapshots } from './snapshots.ts';
import { createSessionStore } from './store.ts';
import { sessionMigrations } from './tables.ts';

export type { SessionCaller } from './current.ts';
export {
  contextPatchSchema,
  type Session,
  sessionConfigSchema,
  sessionSchema,
  sessionStates,
} from './session.ts';
export type { SessionSnapshot } from './snapshots.ts';

export function openSessions({
  library,
  clock,
  defaults,
  moved,
}: {
  library: Library;
  clock: Clock;
  defaults?: Partial<SessionConfig>;
  moved?: MovedWorktree;
}) {
  library.migrate(sessionMigrations);
  const store = createSessionStore({ library, clock, defaults });
  return {
    ...store,
    current: createCurrentSessions(store, { library, clock, moved }),
    locks: createLocks({ library, clock }),
    snapshots: createSnapshots(store, { library, clock }),
    ...createForgetting({ library }),
  };
}

export type Sessions = ReturnType<typeof openSessions>;
