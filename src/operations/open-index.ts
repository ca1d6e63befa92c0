import { SylkError } from '../base/errors.ts';
import { tellUnread } from '../base/unread.ts';
import type { CodeStore, Freshness } from '../stores/code/index.ts';
import type { History } from '../stores/history/index.ts';
import type { Caller, OperationContext } from './operation.ts';

/** An agent's call must not block on a first index; a person sees a progress bar and waits. */
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

/** Notes on what a shallow or partial clone lacks, and on what git would show otherwise. */
export function missingHistory(
  history: Pick<History, 'shallowCommits' | 'isPartialClone' | 'hasReplacedObjects'>,
): string[] {
  const [oldest] = history.shallowCommits();
  return [
    ...(oldest === undefined
      ? []
      : [
          `Shallow clone: history before ${oldest.slice(0, 10)} is missing. If you trust the remote, run \`git fetch --unshallow\`.`,
        ]),
    ...(history.hasReplacedObjects()
      ? [
          'Replaced objects are not followed: history is as it was committed. `git replace --list` lists them.',
        ]
      : []),
    ...(history.isPartialClone()
      ? [
          'Partial clone: earlier file contents are missing, so changed lines and some renames may be, too. If you trust the remote, run `git fetch --refetch --no-filter`.',
        ]
      : []),
  ];
}

/** The code store, updated to the files on disk first when that is quick. */
export async function openCode({
  app,
  caller,
  signal,
  progress,
}: OperationContext): Promise<{ code: CodeStore; freshness: Freshness['state'] }> {
  const code = await app.code();
  const indexing = await app.indexing();
  const before = await code.freshness({ trust: indexing.watching() === 'watching' });
  if (before.state === 'fresh' || caller.readOnly) {
    for (const { source, code, message, hint } of indexing.failures())
      if (source === 'code') tellUnread(new SylkError(code, message, { hint }));
    return { code, freshness: before.state };
  }
  const update = indexing.run({
    only: 'code',
    progress,
    signal: caller.kind === 'person' ? signal : undefined,
  });
  // An update that exceeds the wait limit goes on; its failure does not belong to this answer.
  update.catch(() => {});
  const done = await (caller.kind === 'person'
    ? update
    : Promise.race([update, patience()]).catch(() => undefined));
  const [failure] = done?.problems ?? [];
  if (failure && code.files().length === 0)
    throw new SylkError(failure.code, `The code could not be read: ${failure.message}`, {
      hint: failure.hint,
    });
  if (failure) tellUnread(new SylkError(failure.code, failure.message, { hint: failure.hint }));
  return { code, freshness: (await code.freshness({ trust: false })).state };
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, agentPatienceMs).unref());
