import { z } from 'zod';
import { createTextSet } from '../../../base/search/index.ts';
import { searchWords } from '../../../base/text/index.ts';
import type { RecordedStep } from '../../../stores/transcripts/index.ts';
import type { WorkTool } from '../worker.ts';
import { defineTool } from './tool.ts';

const pieceLength = 1_200;
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
      const pieces = steps().flatMap(piecesOf);
      const scores = createTextSet(
        pieces.map(({ text }) => [searchWords(text)]),
        [1],
      ).scores(searchWords(query));
      const ranked = pieces
        .map((piece, at) => ({ ...piece, score: scores[at] ?? 0 }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score);
      let size = 0;
      const shown = ranked.filter(({ text }) => {
        size += text.length;
        return size <= mostShown;
      });
      const text = shown.map(({ title, text: piece }) => `## ${title}\n${piece}`).join('\n\n');
      return { text: text || 'No earlier step has these words.', untrusted: text !== '' };
    },
  });

interface Piece {
  title: string;
  text: string;
}

function piecesOf(step: RecordedStep): Piece[] {
  const [what, text] = contentOf(step);
  if (text.trim() === '') return [];
  const title = `step ${step.number}, ${what}`;
  const pieces: Piece[] = [];
  let piece = '';
  for (const line of text.match(/[^\n]{0,1000}\n?/g) ?? []) {
    if (piece !== '' && piece.length + line.length > pieceLength) {
      pieces.push({ title, text: piece });
      piece = '';
    }
    piece += line;
  }
  return piece === '' ? pieces : [...pieces, { title, text: piece }];
}

function contentOf(step: RecordedStep): [what: string, text: string] {
  if (step.kind === 'told') return ['you were told', step.text];
  if (step.kind === 'said') return ['you said', step.text];
  if (step.kind === 'calling') return [`you called ${step.name}`, JSON.stringify(step.input, null, 1)];
  // What was found again needs not be found a third time.
  if (step.kind === 'result' && step.name !== 'recall_steps') return [`result of ${step.name}`, step.text];
  return ['', ''];
}
