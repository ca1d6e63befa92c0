import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { wholeRun } from '../../engines/pipelines/index.ts';
import type { RecordedStep } from '../../stores/transcripts/index.ts';
import { operation } from '../operation.ts';

const step = z.object({ number: z.number(), at: z.string(), kind: z.string(), text: z.string() });

export const getTranscript = operation({
  name: 'get_transcript',
  summary: 'What an agent of a run was told, said and called, step by step.',
  effect: 'read',
  input: z.object({ run: z.string().min(1), node: z.string().optional(), ...pagingInput }),
  output: z.object({ run: z.string(), node: z.string(), steps: z.array(step), ...pagingOutput }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run', 'node'] },
  render: ({ steps }) => steps.map(({ number, kind, text }) => `${number}. ${kind}: ${text}`).join('\n'),
  run: async ({ run, node: wanted, ...paging }, { app }) => {
    const transcripts = await app.transcripts();
    const node = wanted ?? (await transcripts.nodes(run)).find((each) => each.node !== wholeRun)?.node;
    if (node === undefined)
      throw new SylkError('NOT_FOUND', `Run ${JSON.stringify(run)} has no transcript.`, {
        hint: '`sylk runs` lists the runs.',
      });
    const all = (await transcripts.steps({ run, node })).map((recorded) => ({
      number: recorded.number,
      at: isoTime(recorded.at),
      kind: recorded.kind,
      text: textOf(recorded),
    }));
    const { items, total, next_cursor } = await pageOf(all, paging);
    return { run, node, steps: items, total, next_cursor };
  },
});

function textOf(step: RecordedStep): string {
  if (step.kind === 'said')
    return [step.text, ...step.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join('\n');
  if (step.kind === 'calling') return `${step.name} ${JSON.stringify(step.input)}`;
  if (step.kind === 'result')
    return `${step.repeated ? '(again) ' : ''}${step.isError ? 'failed: ' : ''}${step.text}`;
  if (step.kind === 'begun')
    return `leg ${step.leg}, ${step.model ?? step.worker}; commands: ${step.sandbox}`;
  if (step.kind === 'asking') return `tools: ${step.tools.join(', ')}`;
  if (step.kind === 'checkpoint') return `${step.commit}, ${step.files} files`;
  if (step.kind === 'compacted') return `the conversation was shortened\n${step.text}`;
  if (step.kind === 'connected')
    return `${step.agent}, ${step.isLoaded ? 'goes on with' : 'new'} session ${step.session}`;
  if (step.kind === 'spent')
    return `${step.usage.inputTokens} tokens in, ${step.usage.outputTokens} out${step.usage.measured ? '' : ' (at least)'}`;
  if (step.kind === 'ended') return step.result.replaceAll('_', ' ');
  if (step.kind === 'note') return `${step.about}: ${step.text}`;
  return step.text;
}
