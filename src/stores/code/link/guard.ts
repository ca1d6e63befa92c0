import type { Trail } from './trail.ts';
import type { Value } from './value.ts';

const questions = ['evaluate', 'exported', 'is', 'instance', 'held', 'call', 'results'] as const;

type Question = (typeof questions)[number];

export interface Guard {
  /**
   * Answers from the cache or by `work`. `detail` is what the answer also depends on, except for cycle
   * detection.
   */
  (question: Question, key: number, detail: number, work: () => Value[]): Value[];
  /** Starts another file; keeps the cached results that hold for all files. */
  startFile(): void;
  /** Resets the cache: keys change their meaning. */
  forget(): void;
}

/** True where the result does not depend on the caller: nothing on the way was cut short. */
interface Shared {
  values: Value[];
  detail: number;
  /** Levels below; with fewer levels left, the result would have been cut short. */
  height: number;
  files: number[];
  lookups: string[];
}

export const deepest = 12;
const mostShared = 2_000;
/** More values than this mean nothing. */
export const most = 6;

/** Guards against cycles and runaway chains: returns nothing rather than something wrong. */
export function createGuard(trail: Trail): Guard {
  const tables = Object.fromEntries(questions.map((question) => [question, table()])) as Record<
    Question,
    ReturnType<typeof table>
  >;
  /** Open questions, outermost first. */
  const asked: Array<{ question: Question; key: number }> = [];
  const isAsked = (question: Question, key: number) =>
    asked.some((one) => one.key === key && one.question === question);
  /** The deepest level since the current question started, and whether its answer depends on more than its key. */
  let reached = 0;
  let cut = false;

  const follow = ({ height, files, lookups, values }: Shared, depth: number): Value[] => {
    reached = Math.max(reached, depth + height);
    trail.follow(files, lookups);
    return values;
  };

  const guarded = (question: Question, key: number, detail: number, work: () => Value[]): Value[] => {
    const { own, shared } = tables[question];
    const depth = asked.length;
    const known = shared.get(key);
    if (known?.detail === detail && depth + known.height <= deepest) return follow(known, depth);
    const mine = own.get(key);
    const before = mine?.detail === detail ? mine.values : undefined;
    if (before || depth > deepest || isAsked(question, key)) {
      cut = true;
      return before ?? [];
    }
    const outerReached = reached;
    const outerCut = cut;
    const mark = trail.mark();
    reached = depth;
    cut = false;
    asked.push({ question, key });
    try {
      const values = unique(work());
      if (depth === 0) own.set(key, { values, detail });
      else if (!cut) {
        if (shared.size >= mostShared) shared.clear();
        shared.set(key, { values, detail, height: reached - depth, ...trail.since(mark) });
      }
      return values;
    } finally {
      asked.pop();
      reached = Math.max(reached, outerReached);
      cut ||= outerCut;
      if (depth === 0) trail.settle();
    }
  };
  const startFile = () => {
    for (const { own } of Object.values(tables)) own.clear();
    trail.clear();
  };
  const forget = () => {
    for (const { shared } of Object.values(tables)) shared.clear();
  };
  return Object.assign(guarded, { startFile, forget });
}

const table = () => ({
  own: new Map<number, Pick<Shared, 'values' | 'detail'>>(),
  shared: new Map<number, Shared>(),
});

function unique(values: Value[]): Value[] {
  if (values.length < 2) return values;
  const seen = new Set<string>();
  return values
    .filter((value) => {
      const key = `${value.kind} ${value.file.id} ${value.ordinal}`;
      return !seen.has(key) && seen.add(key);
    })
    .slice(0, most);
}
