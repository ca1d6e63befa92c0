import type { Trail } from './trail.ts';
import type { Value } from './value.ts';

const questions = ['evaluate', 'exported', 'is', 'instance', 'held', 'call', 'results'] as const;

type Question = (typeof questions)[number];

export interface Guard {
  /**
   * Answers a question by `work`, or as it was answered before. `detail` is what the answer also hangs on, but circles
   * do not.
   */
  (question: Question, key: number, detail: number, work: () => Value[]): Value[];
  /** Begins another file: what was found for the last one is kept as far as it holds for all. */
  startFile(): void;
  /** Keys mean something else from now on. */
  forget(): void;
}

/** What holds wherever it is asked for: nothing on the way to it was cut short. */
interface Shared {
  values: Value[];
  detail: number;
  /** Levels below; where so many are not left, it would have been cut short. */
  height: number;
  files: number[];
  lookups: string[];
}

export const deepest = 12;
const mostShared = 2_000;
/** More values than that say nothing. */
export const most = 6;

/** Guards against circles and runaway chains: answers nothing rather than something wrong. */
export function createGuard(trail: Trail): Guard {
  const tables = Object.fromEntries(questions.map((question) => [question, table()])) as Record<
    Question,
    ReturnType<typeof table>
  >;
  /** What is under way, outermost first. */
  const asked: Array<{ question: Question; key: number }> = [];
  const isAsked = (question: Question, key: number) =>
    asked.some((one) => one.key === key && one.question === question);
  /** The deepest level since the question under way was asked, and whether its answer hangs on more than its key. */
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
