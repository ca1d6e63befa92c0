import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { findOperation, nouns } from './list.ts';
import { syncTeam, teamOf } from './memory/team.ts';
import type { AnyOperation } from './operation.ts';
import { readerOf } from './resolve.ts';

/** What others wrote is looked for this often, and a server that did not answer is left alone for as long. */
const freshMs = 20_000;
const patienceMs = 5000;

/** Operations that read or write what a team shares. */
const sharing = new Set(['memory', 'answers', 'recall', 'graph', 'sessions', 'map']);
const own = new Set(['take_entries', 'list_shared_entries', 'sync_team']);

interface Answered {
  ok: true;
  operation: AnyOperation;
  notes: string[];
}

/** When this process last asked the server, and why that failed. */
const lastTries = new WeakMap<App, { at: number; failure: string | undefined }>();

/**
 * A laptop of a team: before it answers from the memory it looks what the team wrote, after it wrote something it sends that. Where the
 * server does not answer, the call goes on without it and says so.
 */
export async function withTeam<Outcome extends { ok: false } | Answered>(
  app: App,
  request: { name: string; input: unknown },
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  // An unknown one is refused by the call itself.
  const found = await findOperation(request.name, readerOf(request.input)).catch(() => undefined);
  const noun = nouns.find(({ verbs }) => found !== undefined && found.name in verbs)?.noun ?? '';
  if (!sharing.has(noun) || own.has(found?.name ?? '')) return run();
  const conflicts = await tryToSync(app, freshMs);
  const outcome = await run();
  if (!outcome.ok) return outcome;
  if (outcome.operation.effect !== 'read') conflicts.push(...(await tryToSync(app, 0)));
  const lines = [...new Set(conflicts)].map(
    (id) =>
      `${id} was changed by somebody of the team too: both texts are kept, and the dashboard of the server shows them.`,
  );
  return { ...outcome, notes: [...outcome.notes, ...lines, ...(await failureNotes(app))] };
}

/** The entries that both sides had changed. A failure is remembered, and not tried again at once. */
async function tryToSync(app: App, restMs: number): Promise<string[]> {
  const now = performance.now();
  const last = lastTries.get(app);
  if (last && now - last.at < (last.failure === undefined ? restMs : freshMs)) return [];
  try {
    const { conflicts } = await syncTeam(app, patienceMs);
    lastTries.set(app, { at: now, failure: undefined });
    return conflicts;
  } catch (error) {
    if (!(error instanceof SylkError)) throw error;
    app.log.warn(`team: ${error.message}`);
    lastTries.set(app, { at: now, failure: error.message });
    return [];
  }
}

async function failureNotes(app: App): Promise<string[]> {
  const failure = lastTries.get(app)?.failure;
  if (failure === undefined) return [];
  const waiting = await (await app.memory()).team.waiting(teamOf(app));
  return [waiting > 0 ? `${failure} ${waiting} of your entries wait here and are sent later.` : failure];
}
