import { SylkError } from '../base/errors.ts';
import type { CodeStore, Freshness } from '../stores/code/index.ts';
import type { History } from '../stores/history/index.ts';
import type { Caller, OperationContext } from './operation.ts';

/** An agent's call should not hang on a first index; a person sees a progress bar and waits. */
const agentPatienceMs = 5000;

export const patienceOf = ({ kind }: Caller): number =>
  kind === 'person' ? Number.POSITIVE_INFINITY : agentPatienceMs;

export async function openHistoryView({ app, caller, signal, progress }: OperationContext) {
  const history = await app.history();
  const { view, freshness } = await history.ready({ waitMs: patienceOf(caller), signal, progress });
  const damage = history.damage();
  const notes = [...missingHistory(history), ...(damage ? [`${damage.message} ${damage.hint}`] : [])];
  return { history, view, freshness: freshness.state, notes, damaged: damage ? true : undefined };
}

/** Why answers from history may lack what is old. */
export function missingHistory(history: Pick<History, 'shallowCommits' | 'isPartialClone'>): string[] {
  const [oldest] = history.shallowCommits();
  return [
    ...(oldest === undefined
      ? []
      : [`Shallow clone: history before ${oldest.slice(0, 10)} is missing. Run \`git fetch --unshallow\`.`]),
    ...(history.isPartialClone()
      ? [
          'Partial clone: earlier contents of files are missing, so renames with changes and changed lines may be. Where you trust the remote, `git fetch --refetch --no-filter` gets them.',
        ]
      : []),
  ];
}

/** The code store, brought up to what is on disk first where that is quick. */
export async function openCode({
  app,
  caller,
  signal,
  progress,
}: OperationContext): Promise<{ code: CodeStore; freshness: Freshness['state'] }> {
  const code = await app.code();
  const indexing = await app.indexing();
  const before = await code.freshness({ trust: indexing.watching() === 'watching' });
  if (before.state === 'fresh' || caller.readOnly) return { code, freshness: before.state };
  const update = indexing.run({
    only: 'code',
    progress,
    signal: caller.kind === 'person' ? signal : undefined,
  });
  // An update that outlasts the caller's patience goes on; its failure is not this answer's.
  update.catch(() => {});
  const done = await (caller.kind === 'person'
    ? update
    : Promise.race([update, patience()]).catch(() => undefined));
  const [failure] = done?.problems ?? [];
  if (failure && code.files().length === 0)
    throw new SylkError(failure.code, `Nothing could be read: ${failure.message}`, { hint: failure.hint });
  return { code, freshness: (await code.freshness({ trust: false })).state };
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, agentPatienceMs).unref());
