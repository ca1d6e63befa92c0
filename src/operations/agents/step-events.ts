import type { RecordedStep } from '../../stores/transcripts/index.ts';
import type { CallEvent } from '../operation.ts';

const mostShown = 400;
const firstLines = (text: string, lines: number): string => {
  const shown = text.split('\n').slice(0, lines).join('\n').slice(0, mostShown);
  // Lines of others stand further in than ours.
  const inset = shown.replaceAll('\n', '\n    ');
  return shown.length < text.length ? `${inset} …` : inset;
};

/** A step of an agent as events of the call that watches it. */
export function stepEvents(step: RecordedStep): CallEvent[] {
  if (step.kind === 'said' && step.text.trim() !== '')
    return [{ type: 'text', text: firstLines(step.text.trim(), 12) }];
  if (step.kind === 'calling') return [{ type: 'tool_call', name: step.name, input: shortInput(step.input) }];
  if (step.kind === 'result')
    return [{ type: 'text', text: `${step.isError ? '  ✗ ' : '  → '}${firstLines(step.text, 3)}` }];
  if (step.kind === 'note' && step.about.startsWith('approval '))
    return [
      {
        type: 'approval',
        approval_id: step.about.slice('approval '.length),
        message: `${step.text}\n  Allow it in another terminal: sylk ${step.about.replace('approval', 'approve')}`,
      },
    ];
  if (step.kind === 'note') return [{ type: 'text', text: `${step.about}: ${firstLines(step.text, 6)}` }];
  if (step.kind === 'begun')
    return [
      { type: 'text', text: `Leg ${step.leg}, ${step.model ?? step.worker}. Commands: ${step.sandbox}.` },
    ];
  if (step.kind === 'told' && step.from !== 'brief')
    return [{ type: 'text', text: `Told: ${firstLines(step.text, 6)}` }];
  return [];
}

const shortInput = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? firstLines(value, 3) : value,
    ]),
  );
