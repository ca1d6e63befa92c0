import { z } from 'zod';
import { createTextSet } from '../../../base/search/index.ts';
import { searchWords } from '../../../base/text/index.ts';
import type { RecordedStep } from '../../../stores/transcripts/index.ts';
import type { WorkTool } from '../worker.ts';
import { defineTool } from './tool.ts';

const longestLine = 400;
const mostShown = 6_000;

/** How an agent finds again what its window no longer holds: every step of its work is on disk. */
export const recallSteps = (steps: () => RecordedStep[]): WorkTool =>
  defineTool({
    name: 'recall_steps',
    description:
      'Finds, word for word, what you read, did, said or were told earlier in this task and no longer see. Use exact names.',
    tier: 'core',
    effect: 'read',
    input: z.object({ query: z.string().min(1) }),
    run: async ({ query }) => {
      // Lines, not passages: a long text has any word somewhere.
      const lines = steps().flatMap(linesOf);
      const scores = createTextSet(
        lines.map(({ text }) => [searchWords(text)]),
        [1],
      ).scores(searchWords(query));
      const ranked = lines
        .map((line, at) => ({ ...line, at, score: scores[at] ?? 0 }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      const shown: string[] = [];
      const taken = new Set<number>();
      let size = 0;
      for (const { step, title, at } of ranked) {
        if (taken.has(at)) continue;
        const around = [at - 1, at, at + 1].filter((each) => lines[each]?.step === step && !taken.has(each));
        const text = `## ${title}\n${around.map((each) => lines[each]?.text).join('\n')}`;
        size += text.length;
        if (size > mostShown) break;
        for (const each of around) taken.add(each);
        shown.push(text);
      }
      return { text: shown.join('\n\n') || 'No earlier step has these words.', untrusted: shown.length > 0 };
    },
  });

interface Line {
  step: number;
  title: string;
  text: string;
}

function linesOf(step: RecordedStep): Line[] {
  const [what, text] = contentOf(step);
  const title = `step ${step.number}, ${what}`;
  return text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${longestLine}}(?:\\s|$)|.{1,${longestLine}}`, 'g')) ?? [])
    .filter((line) => line.trim() !== '')
    .map((line) => ({ step: step.number, title, text: line }));
}

function contentOf(step: RecordedStep): [what: string, text: string] {
  if (step.kind === 'told') return ['you were told', step.text];
  if (step.kind === 'said') return ['you said', step.text];
  if (step.kind === 'calling' && step.name !== 'recall_steps')
    return [`you called ${step.name}`, JSON.stringify(step.input, null, 1)];
  // What was found again needs not be found a third time.
  if (step.kind === 'result' && step.name !== 'recall_steps') return [`result of ${step.name}`, step.text];
  return ['', ''];
}
