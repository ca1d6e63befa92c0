import { readFileSync } from 'node:fs';
import type { QuestionSet } from './question-set.ts';

/** `date` and `relevant` are other words for `at` and `gold`; without groups everything is one set. */
interface Written {
  entries: Array<{ id: string; text: string; at?: string; date?: string; group?: string }>;
  questions: Array<{ question: string; kind?: string; gold?: string[]; relevant?: string[]; group?: string }>;
}

/** Entries and questions that somebody else wrote, one set for each group: `{ entries, questions }`. */
export function readStranger(path: string): QuestionSet[] {
  const { entries, questions } = JSON.parse(readFileSync(path, 'utf8')) as Written;
  const asked = Map.groupBy(questions, ({ group = '' }) => group);
  return [...Map.groupBy(entries, ({ group = '' }) => group)].map(([name, own]) => ({
    name,
    units: own.map(({ id, text, at, date = '' }) => ({
      id,
      text,
      at: Date.parse(at ?? date),
      session: name,
    })),
    questions: (asked.get(name) ?? []).map(({ question, kind = 'question', gold, relevant }) => ({
      question,
      kind,
      gold: new Set(gold ?? relevant),
    })),
  }));
}
