/** What was right and what was guessed, with how sure the guess was. */
export interface Judged {
  right: string;
  guessed: string;
  confidence: number;
}

export interface ClassScore {
  name: string;
  precision: number;
  recall: number;
  f1: number;
  cases: number;
}

export function scoreClasses(judged: Judged[]): ClassScore[] {
  const names = [...new Set(judged.map(({ right }) => right))];
  return names.map((name) => {
    const hits = judged.filter(({ right, guessed }) => right === name && guessed === name).length;
    const cases = judged.filter(({ right }) => right === name).length;
    const guesses = judged.filter(({ guessed }) => guessed === name).length;
    const precision = guesses === 0 ? 0 : hits / guesses;
    const recall = hits / cases;
    const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
    return { name, precision, recall, f1, cases };
  });
}

/** The mean of the classes' F1: a rare class counts as much as a common one. */
export const macroF1 = (judged: Judged[]): number => {
  const classes = scoreClasses(judged);
  return classes.reduce((sum, { f1 }) => sum + f1, 0) / classes.length;
};

/** How many cases stand at or above a confidence, and how many of those are right. */
export const abstentionCurve = (judged: Judged[], steps: number[]) =>
  steps.map((step) => {
    const kept = judged.filter(({ confidence }) => confidence >= step);
    const right = kept.filter((each) => each.right === each.guessed).length;
    return {
      step,
      coverage: kept.length / judged.length,
      accuracy: kept.length === 0 ? 1 : right / kept.length,
    };
  });

export function confusionTable(judged: Judged[]): string {
  const names = [...new Set(judged.flatMap(({ right, guessed }) => [right, guessed]))];
  const width = 6;
  const head = `${'right \\ guessed'.padEnd(18)}${names.map((name) => name.slice(0, 5).padStart(width)).join('')}`;
  const rows = names.map((right) => {
    const counts = names.map(
      (guessed) => judged.filter((each) => each.right === right && each.guessed === guessed).length,
    );
    return `${right.padEnd(18)}${counts.map((count) => String(count || '·').padStart(width)).join('')}`;
  });
  return [head, ...rows].join('\n');
}
