import { useOperation } from './use.ts';

/** What a person has to settle. An entry that is one side of an open dispute is settled there, not a second time. */
export function useReview() {
  const conflicts = useOperation('list_conflicts', { max_tokens: 20_000 }, { everyMs: 20_000 });
  const queue = useOperation('review_queue', { max_tokens: 20_000 }, { everyMs: 20_000 });
  const sides = new Set(conflicts.data?.conflicts.flatMap(({ left, right }) => [left, right]));
  const alone = (queue.data?.waiting ?? []).filter(
    ({ ref, contradictions }) => !sides.has(ref) || contradictions.length > 0,
  );
  return { conflicts, queue, alone, count: (conflicts.data?.total ?? 0) + alone.length };
}
