import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBm25 } from '../../bench/bm25.ts';
import { interval, mean } from '../../bench/memory/compare.ts';
import { readLocomo } from '../../bench/memory/locomo.ts';
import { askAll } from '../../bench/memory-quality.lab.ts';
import { createStaticEmbedder } from '../../src/base/embedding/index.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** One conversation in the shape of the public ones. */
function conversation(): string {
  const path = join(temporaryDirectory('talk'), 'talk.json');
  const turn = (dia_id: string, speaker: string, text: string) => ({ dia_id, speaker, text });
  writeFileSync(
    path,
    JSON.stringify([
      {
        sample_id: 'talk',
        conversation: {
          session_1_date_time: '1:56 pm on 8 May, 2023',
          session_1: [
            turn('D1:1', 'Ada', 'What did you plant in the garden this spring?'),
            turn('D1:2', 'Ben', 'Tomatoes and beans, mostly.'),
            turn('D1:3', 'Ada', 'I went sailing with my sister.'),
          ],
          session_2_date_time: '9:05 am on 2 June, 2023',
          session_2: [
            turn('D2:1', 'Ben', 'My new bicycle was stolen on Monday.'),
            turn('D2:2', 'Ada', 'The garden party is on Friday.'),
          ],
        },
        qa: [
          { question: 'What did Ben plant in the garden?', category: 4, evidence: ['D1:1; D1:2'] },
          { question: 'When was the bicycle stolen?', category: 2, evidence: ['D2:1'] },
          { question: 'What was never said?', category: 5, evidence: ['D2:2'] },
        ],
      },
    ]),
  );
  return path;
}

test('public conversations are read by turn and by session, without questions that have no answer', () => {
  const [byTurn] = readLocomo(conversation(), 'turn');
  const [bySession] = readLocomo(conversation(), 'session');
  expect(byTurn!.units.map(({ id }) => id)).toEqual(['D1:1', 'D1:2', 'D1:3', 'D2:1', 'D2:2']);
  expect(byTurn!.units[0]!.at).toBe(Date.UTC(2023, 4, 8, 13, 56));
  expect(byTurn!.questions.map(({ gold }) => [...gold])).toEqual([['D1:1', 'D1:2'], ['D2:1']]);
  expect(bySession!.questions.map(({ gold }) => [...gold])).toEqual([['D1'], ['D2']]);
});

test('the lab in small: what was said is found, not worse than the baseline', async () => {
  for (const level of ['turn', 'session'] as const) {
    const asked = await askAll(readLocomo(conversation(), level)[0]!, { quick: createStaticEmbedder() });
    expect(asked).toHaveLength(2);
    expect(mean(asked.map(({ ours }) => ours.r5))).toBe(1);
    for (const { ours, bm25 } of asked) expect(ours.r5).toBeGreaterThanOrEqual(bm25.r5);
  }
});

test('the baseline and the interval are what they are called', () => {
  const scores = createBm25(['red boats', 'blue boats', 'green trees'])('a red boat');
  expect(scores[0]).toBeGreaterThan(scores[1]!);
  expect(scores[2]).toBe(0);
  const [low, high] = interval([0.1, 0.2, 0.3, 0.2, 0.1]);
  expect(low).toBeGreaterThan(0.1);
  expect(high).toBeLessThan(0.3);
  expect(interval([0, 0, 0])).toEqual([0, 0]);
});
