import { readFileSync } from 'node:fs';
import type { QuestionSet } from './question-set.ts';

interface Written {
  entries: Array<{ id: string; text: string; at: string; group: string }>;
  questions: Array<{ question: string; kind: string; gold: string[]; group: string }>;
}

/** Entries and questions that somebody else wrote, one set for each group: `{ entries, questions }`. */
export function readStranger(path: string): QuestionSet[] {
  const { entries, questions } = JSON.parse(readFileSync(path, 'utf8')) as Written;
  const asked = Map.groupBy(questions, ({ group }) => group);
  return [...Map.groupBy(entries, ({ group }) => group)].map(([name, own]) => ({
    name,
    units: own.map(({ id, text, at }) => ({ id, text, at: Date.parse(at), session: name })),
    questions: (asked.get(name) ?? []).map(({ gold, ...question }) => ({ ...question, gold: new Set(gold) })),
  }));
}
