import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitEntries, sources } from './commit-entries.ts';
import type { QuestionSet, Unit } from './question-set.ts';

interface Question {
  repository: string;
  commit: string;
  question: string;
  kind: 'shared' | 'apart';
}

const files = { first: 'questions.json', held: 'questions.held.json' };

/** Our own questions over explanations of public commits; `--from owner/name=GITDIR` for each repository of the set. */
export async function ownQuestions(from: string[], set: keyof typeof sources): Promise<QuestionSet> {
  const given = new Map(from.map((pair) => pair.split('=') as [string, string]));
  const units: Unit[] = [];
  for (const source of sources[set]) {
    const directory = given.get(source.name);
    if (!directory) throw new Error(`Give --from ${source.name}=GITDIR.`);
    for (const { id, body, at } of await commitEntries(directory, source))
      units.push({ id, text: body, at, session: source.name });
  }
  const file = join(import.meta.dirname, '..', '..', 'fixtures', 'memory', files[set]);
  const questions = (JSON.parse(readFileSync(file, 'utf8')) as Question[]).map(
    ({ question, kind, commit }) => ({
      question,
      kind: kind === 'apart' ? 'no shared word' : 'shared words',
      gold: new Set([commit]),
    }),
  );
  return { name: `own, ${set}`, units, questions };
}
