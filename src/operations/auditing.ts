import type { App } from '../app.ts';
import { messageOf, SylkError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { redact } from '../base/redact.ts';
import { isTeam } from './members.ts';
import type { AnyOperation, Caller, Effect } from './operation.ts';
import { repositoryName } from './rights.ts';

/** Reads and derived data leave nothing behind that somebody has to answer for. */
const recorded: ReadonlySet<Effect> = new Set(['write', 'fetch', 'setup', 'decide']);
const longestInput = 2000;

interface Audited {
  operation: AnyOperation;
  caller: Caller;
  input: unknown;
}

/**
 * In a team, every call that changes something is written down before it runs: what can't be recorded is not done. A failure
 * is a second record.
 */
export async function audited<T>(app: App, call: Audited, run: () => Promise<T>): Promise<T> {
  if (!isTeam(app) || !recorded.has(call.operation.effect)) return run();
  const id = newId('call', app.clock.now());
  await record(app, call, { call: id, outcome: 'began', note: '' });
  try {
    return await run();
  } catch (error) {
    await record(app, call, { call: id, outcome: 'failed', note: redact(messageOf(error)).slice(0, 500) });
    throw error;
  }
}

/** A member who was refused. Whoever is at the terminal of the server has nothing to be refused. */
export async function auditRefusal(app: App, call: Audited, error: unknown): Promise<void> {
  if (!isTeam(app) || !call.caller.access) return;
  if (!(error instanceof SylkError) || error.code !== 'DENIED') return;
  const note = redact(error.message).slice(0, 500);
  await record(app, call, { call: newId('call', app.clock.now()), outcome: 'refused', note });
}

async function record(
  app: App,
  { operation, caller, input }: Audited,
  outcome: { call: string; outcome: 'began' | 'failed' | 'refused'; note: string },
): Promise<void> {
  const { access } = caller;
  const { token } = access ?? {};
  await (await app.audit()).record({
    name: access?.name ?? redact(caller.name),
    kind: access?.kind ?? caller.kind,
    person: access?.person ?? '',
    token: token?.id ?? '',
    repository: repositoryName(app),
    operation: operation.name,
    effect: operation.effect,
    input: inputText(input),
    ...outcome,
  });
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input, (key, value) => (key === 'password' ? '[redacted:password]' : value));
  const clean = redact(text ?? '').toWellFormed();
  return clean.length > longestInput ? `${clean.slice(0, longestInput)}…` : clean;
}
