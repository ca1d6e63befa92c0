import { SylkError } from '../../base/errors.ts';
import { isRefOf, refOf } from '../../base/ref.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { type Conflict, type Contradiction, parseRef, type Verification } from '../../stores/graph/index.ts';
import type { Card, Cards } from './cards.ts';
import { entryId, type KnowledgeContext, type Seeing } from './context.ts';

export const conflictAnswers = ['keep_left', 'keep_right', 'keep_both'] as const;
export type ConflictAnswer = (typeof conflictAnswers)[number];

export interface ShownConflict extends Conflict {
  left_card?: Card | undefined;
  right_card?: Card | undefined;
}

export interface Waiting {
  ref: string;
  card?: Card | undefined;
  warnings: string[];
  contradictions: Contradiction[];
  verification: Verification['verification'];
  confidence: number;
  since: string;
}

/** Contradictions, the review queue, and verdicts of the person. */
export function createReview(context: KnowledgeContext, { cards, seeing }: { cards: Cards; seeing: Seeing }) {
  const { graph, chronicle } = context;

  const list = async (
    viewer: Viewer,
    filter: { unresolved?: boolean | undefined; refs?: string[] | undefined },
  ) => {
    const stored = await graph.conflicts(filter);
    const secret = await seeing.hidden(viewer, [
      ...new Set(stored.flatMap(({ left, right }) => [left, right])),
    ]);
    const open = stored.filter(({ left, right }) => !secret.has(left) && !secret.has(right));
    const disputed = (await chronicle.conflicts.list(viewer, filter.unresolved !== true))
      .map(disputeOf)
      .filter(({ left, right }) => !filter.refs || filter.refs.includes(left) || filter.refs.includes(right))
      .filter(({ resolved }) => filter.unresolved === undefined || resolved !== filter.unresolved);
    const all = [...open, ...disputed].sort((a, b) => (a.detected_at < b.detected_at ? 1 : -1));
    const known = await cards.of(
      viewer,
      all.flatMap(({ left, right }) => [left, right]),
    );
    return all.map(
      (conflict): ShownConflict => ({
        ...conflict,
        left_card: known.get(conflict.left),
        right_card: known.get(conflict.right),
      }),
    );
  };

  /** The rejected side names its replacement. Only a person may decide against code. */
  const resolve = async (
    viewer: Viewer,
    request: { id: string; answer: ConflictAnswer; reason: string; by: string; person: boolean },
  ): Promise<{ id: string; resolution: string }> => {
    const { id, answer, reason, by } = request;
    if (id.startsWith('cfl_')) return chronicle.conflicts.resolve(viewer, id, answer, reason);
    const conflict = await graph.findConflict(id);
    if ((await seeing.hidden(viewer, [conflict.left, conflict.right])).size > 0)
      throw new SylkError('NOT_FOUND', `Unknown conflict ${JSON.stringify(id.slice(0, 80))}.`, {
        hint: 'Run `sylk graph conflicts` to list them with their ids.',
      });
    const [kept, dropped] =
      answer === 'keep_left' ? [conflict.left, conflict.right] : [conflict.right, conflict.left];
    if (answer !== 'keep_both' && parseRef(dropped).side === 'code' && !request.person) {
      throw new SylkError('DENIED', `${dropped} is code: only a person may decide against it.`, {
        hint: 'Keep the side of the code, or ask the person to run `sylk graph resolve`.',
      });
    }
    const settled = await graph.resolveConflict(id, `${answer}: ${reason}`, by);
    if (answer !== 'keep_both') {
      if (parseRef(dropped).side !== 'code') await graph.supersede(dropped, kept, by);
      if (isRefOf(dropped, 'entry') && isRefOf(kept, 'entry'))
        await chronicle.standing.replace(entryId(dropped), entryId(kept));
    }
    return { id, resolution: settled.resolution };
  };

  const queue = async (viewer: Viewer): Promise<Waiting[]> => {
    const recorded = await graph.reviewQueue();
    const secret = await seeing.hidden(
      viewer,
      recorded.map(({ ref }) => ref),
    );
    const checked = recorded.filter(({ ref }) => !secret.has(ref));
    const known = new Set(checked.map(({ ref }) => ref));
    const disputed = (await chronicle.standing.waiting(viewer)).filter(
      ({ id }) => !known.has(refOf('entry', id)),
    );
    const shown = await cards.of(viewer, [...known, ...disputed.map(({ id }) => refOf('entry', id))]);
    return [
      ...checked.map((one) => ({
        ref: one.ref,
        card: shown.get(one.ref),
        warnings: one.warnings,
        contradictions: one.contradictions,
        verification: one.verification,
        confidence: one.confidence,
        since: one.recorded_at,
      })),
      ...disputed.map((entry) => ({
        ref: refOf('entry', entry.id),
        card: shown.get(refOf('entry', entry.id)),
        warnings: ['It contradicts another entry on the same subject.'],
        contradictions: [],
        verification: entry.verification,
        confidence: entry.confidence,
        since: entry.updated_at,
      })),
    ].sort((a, b) => (a.since < b.since ? -1 : 1));
  };

  /** A person's verdict: confirmed counts as verified, rejected is archived and can be restored. */
  const confirm = async (
    ref: string,
    by: string,
    verdict: 'confirmed' | 'rejected',
  ): Promise<Verification> => {
    const person: Viewer = { session_id: '', sees_all: true };
    const id = entryId(ref);
    const entry = (await chronicle.standing.several(person, [id])).get(id);
    if (!entry)
      throw new SylkError('NOT_FOUND', `Unknown entry ${JSON.stringify(ref.slice(0, 80))}.`, {
        hint: 'Run `sylk graph review` to list what waits.',
      });
    await graph.describe([{ ref: refOf('entry', id) }]);
    await graph.confirm(refOf('entry', id), by, verdict);
    await chronicle.standing.judge(
      id,
      verdict === 'confirmed'
        ? { verification: 'by_user', needs_review: false, confidence: 1 }
        : { verification: 'none', needs_review: false, confidence: 0 },
    );
    if (verdict === 'rejected') await putAway([refOf('entry', id)], true);
    return (await graph.verificationsOf([refOf('entry', id)])).get(refOf('entry', id))!;
  };

  /** Hides it in both the graph and the chronicle; nothing is deleted. */
  const putAway = async (refs: string[], away: boolean): Promise<number> => {
    const changed = away ? await graph.archive(refs) : await graph.restore(refs);
    const entries = refs.filter((ref) => isRefOf(ref, 'entry')).map(entryId);
    return Math.max(changed, await chronicle.standing.putAway(entries, away));
  };

  return { list, resolve, queue, confirm, putAway };
}

type Dispute = Awaited<ReturnType<KnowledgeContext['chronicle']['conflicts']['list']>>[number];

/** Two decisions on one subject, as the chronicle records them. */
const disputeOf = (dispute: Dispute): Conflict => ({
  id: dispute.id,
  kind: 'semantic',
  left: refOf('entry', dispute.left.id),
  right: refOf('entry', dispute.right.id),
  subject: dispute.left.title.toLowerCase(),
  detail: `"${dispute.left.title}" was decided twice`,
  proposal: 'A person must decide which one is right.',
  detected_at: dispute.created_at,
  resolved: dispute.resolution !== '',
  resolution: dispute.resolution,
  resolved_by: '',
  resolved_at: null,
});
