// owns: sessions, their private context, states, locks and snapshots. knows: base. must not know: chronicle, agents, git.
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { configSection, dataKey } from '../../base/config/index.ts';
import type { Library } from '../../base/library/index.ts';
import { createCurrentSessions } from './current.ts';
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

export const sessionsSection = configSection('sessions', {
  auto_suspend_after: dataKey(
    z.number().int().min(0).default(7200),
    'seconds without activity after which a session is suspended (0: never)',
  ),
  session_timeout: dataKey(
    z.number().int().min(0).default(0),
    'seconds after which an active session is suspended (0: never)',
  ),
  max_concurrent_tasks: dataKey(
    z.number().int().min(1).max(64).default(4),
    'tasks that may run at once in a session',
  ),
  max_engineers: dataKey(z.number().int().min(1).max(64).default(4), 'engineers in a session'),
  task_timeout: dataKey(z.number().int().min(0).default(1800), 'seconds that one task may take'),
});

export function openSessions({
  library,
  clock,
  defaults,
}: {
  library: Library;
  clock: Clock;
  defaults?: Partial<SessionConfig>;
}) {
  library.migrate(sessionMigrations);
  const store = createSessionStore({ library, clock, ...(defaults ? { defaults } : {}) });
  return {
    ...store,
    current: createCurrentSessions(store, { library, clock }),
    locks: createLocks({ library, clock }),
    snapshots: createSnapshots(store, { library, clock }),
  };
}

export type Sessions = ReturnType<typeof openSessions>;
