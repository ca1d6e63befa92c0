import { describe, expect, test } from 'vitest';
import { allRows, databases, openForTest } from '../../../tests/support/libraries.ts';
import { systemClock } from '../../base/clock.ts';
import { openTranscripts, type Step, spendingOf } from './index.ts';

const name = { run: 'run_1', node: 'work' };
const told = (text: string): Step => ({ kind: 'told', from: 'person', text });
const said = (text: string): Step => ({
  kind: 'said',
  text,
  calls: [],
  finish: 'stop',
  usage: { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, measured: true },
});

describe.each(databases)('transcripts on $name', ({ freshUrl }) => {
  const open = async () => {
    const library = openForTest(await freshUrl());
    return { library, transcripts: openTranscripts({ library, clock: systemClock }) };
  };

  test('steps come back in the order in which they were added', async () => {
    const { transcripts } = await open();
    await transcripts.append(name, 0, [told('a'), said('b')]);
    await transcripts.append(name, 2, [told('c')]);
    const steps = await transcripts.steps(name);
    expect(steps.map(({ number, kind }) => [number, kind])).toEqual([
      [1, 'told'],
      [2, 'said'],
      [3, 'told'],
    ]);
    expect(await transcripts.steps(name, 2)).toEqual(steps.slice(2));
    expect(await transcripts.nodes('run_1')).toEqual([{ node: 'work', steps: 3 }]);
  });

  test('a step that another process has written is never replaced, and none of the batch is kept', async () => {
    const { transcripts } = await open();
    await transcripts.append(name, 0, [told('first')]);
    await expect(transcripts.append(name, 0, [told('second'), told('third')])).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const steps = await transcripts.steps(name);
    expect(steps).toHaveLength(1);
    expect(steps[0]).toMatchObject({ text: 'first' });
  });

  test('of many that write at once only the one whose place is taken is refused, whole', async () => {
    const { transcripts } = await open();
    await transcripts.append({ run: 'run_2', node: 'work' }, 1, [told('taken')]);
    const nodes = ['run_1', 'run_2', 'run_3'].map((run) => ({ run, node: 'work' }));
    const settled = await Promise.allSettled(
      nodes.map((each) => transcripts.append(each, 0, [told('a'), told('b')])),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const counts = await Promise.all(nodes.map(async (each) => (await transcripts.steps(each)).length));
    expect(counts).toEqual([2, 1, 2]);
  });

  test('no secret is stored, and what is answered is what is stored', async () => {
    const { library, transcripts } = await open();
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const [answered] = await transcripts.append(name, 0, [
      { kind: 'calling', call: '1', name: 'run_command', input: { command: `curl -H "token: ${secret}"` } },
    ]);
    expect(JSON.stringify(await allRows(library, 'transcript_steps'))).not.toContain(secret);
    expect(await transcripts.steps(name)).toEqual([answered]);
  });

  test('signed content with a secret in it is left out whole', async () => {
    const { transcripts } = await open();
    const native = (text: string) => ({ provider: 'x', content: [{ type: 'reasoning', text }] });
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await transcripts.append(name, 0, [
      { ...said('a'), native: native('plain') } as Step,
      { ...said('b'), native: native(secret) } as Step,
    ]);
    const [kept, cut] = await transcripts.steps(name);
    expect(kept).toMatchObject({ native: native('plain') });
    expect(cut).not.toHaveProperty('native');
  });
});

test('what a turn of an external agent took is summed with answers of models, and what nobody measured is counted', () => {
  const usage = (input: number, measured: boolean) => ({
    inputTokens: input,
    cachedInputTokens: 1,
    cacheWriteTokens: 0,
    outputTokens: 2,
    measured,
  });
  const answer = { kind: 'said' as const, text: '', calls: [], finish: 'stop' };
  expect(
    spendingOf([
      { ...answer, usage: usage(10, true), cost: 0.5 },
      answer,
      { kind: 'spent', usage: usage(100, false) },
    ]),
  ).toEqual({ cost: 0.5, unpriced: 1, unmeasured: 1, tokens: { input: 110, cached: 2, output: 4 } });
});
