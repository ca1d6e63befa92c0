import type { CallRecord } from './conversation.ts';

export const guardLimits = {
  /** The same call with the same result. */
  repeats: 3,
  /** Failed calls in a row. */
  errors: 8,
  /** Calls in a row that changed nothing and told nothing new. */
  idle: 12,
  /** Answers in a row that call no tool. */
  silent: 3,
  /** Calls of one leg. */
  calls: 200,
};

/** Why an agent has to stop and ask, or undefined. Pure: the same calls always give the same answer. */
export function findStall(
  { results, silent }: { results: CallRecord[]; silent: number },
  limits = guardLimits,
): string | undefined {
  const same = repeatsOfLast(results);
  if (same >= limits.repeats) return `The same call had the same result ${same} times.`;
  const errors = lengthOfTail(results, ({ isError }) => isError);
  if (errors >= limits.errors) return `${errors} calls in a row failed.`;
  const idle = idleTail(results);
  if (idle >= limits.idle) return `${idle} calls in a row changed nothing and told nothing new.`;
  if (silent >= limits.silent) return `${silent} answers in a row called no tool.`;
  if (results.length >= limits.calls) return `It made ${results.length} calls.`;
  return undefined;
}

/** Since the last change of a file: after one, the same command may well be run again. */
function repeatsOfLast(results: CallRecord[]): number {
  const last = results.at(-1);
  if (!last) return 0;
  const since = results.slice(results.findLastIndex(({ isChange }) => isChange) + 1);
  return since.filter(({ key, digest }) => key === last.key && digest === last.digest).length;
}

function lengthOfTail(results: CallRecord[], holds: (record: CallRecord) => boolean): number {
  const last = results.findLastIndex((record) => !holds(record));
  return results.length - 1 - last;
}

function idleTail(results: CallRecord[]): number {
  const seen = new Set<string>();
  let idle = 0;
  for (const { key, digest, isChange } of results) {
    const mark = `${key} ${digest}`;
    idle = isChange || !seen.has(mark) ? 0 : idle + 1;
    seen.add(mark);
  }
  return idle;
}
