import { parseJsonObject } from '../../base/json.ts';
import type { RecordedStep } from '../../stores/transcripts/index.ts';
import type { CallEvent, FileChange } from '../operation.ts';

const mostShown = 400;
const firstLines = (text: string, lines: number): string => {
  const shown = text.split('\n').slice(0, lines).join('\n').slice(0, mostShown);
  // Lines of others stand further in than ours.
  const inset = shown.replaceAll('\n', '\n    ');
  return shown.length < text.length ? `${inset} …` : inset;
};

const endTools = ['signal_complete', 'request_help'];

/** A step of an agent as events of the call that watches it. */
export function stepEvents(step: RecordedStep): CallEvent[] {
  // What an agent ends with is the answer of the whole call, or its question.
  if ('name' in step && endTools.includes(step.name) && !('isError' in step && step.isError)) return [];
  // A person knows what they said.
  if (step.kind === 'told' && step.text.startsWith('## The person says')) return [];
  if (step.kind === 'said' && step.text.trim() !== '')
    return [{ type: 'text', from: 'agent', text: firstLines(step.text.trim(), 12) }];
  if (step.kind === 'calling')
    return [
      {
        type: 'tool_call',
        id: step.call,
        name: step.name,
        input: shortInput(step.input),
        change: changeOf(step.input),
      },
    ];
  if (step.kind === 'result')
    return [{ type: 'tool_result', id: step.call, text: resultText(step), is_error: step.isError }];
  if (step.kind === 'note' && step.about.startsWith('approval '))
    return [
      {
        type: 'approval',
        approval_id: step.about.slice('approval '.length),
        message: `${step.text}\n  Allow it: sylk ${step.about.replace('approval', 'approve')}`,
      },
    ];
  if (step.kind === 'note') {
    const lines = [...new Set(step.text.split('\n'))].join('\n');
    return [
      { type: 'text', text: `${step.about.replace(/ [0-9a-f]{40,64}$/, '')}: ${firstLines(lines, 6)}` },
    ];
  }
  if (step.kind === 'ended' && step.result === 'parked')
    return [{ type: 'text', text: `Waits: ${firstLines(parkedReason(step.text), 3)}` }];
  if (step.kind === 'begun')
    return [
      {
        type: 'text',
        text: `${step.leg > 1 ? `Part ${step.leg}. ` : ''}Model: ${step.model ?? step.worker}. Commands: ${step.sandbox.split(':', 1)[0]}.`,
      },
    ];
  if (step.kind === 'told' && step.from !== 'brief')
    return [{ type: 'text', text: `Told: ${firstLines(step.text, 6)}` }];
  return [];
}

const parkedReason = (ended: string): string => {
  const { reason, wake_at: at } = parseJsonObject(ended);
  const until = typeof at === 'number' ? ` It goes on at ${new Date(at).toISOString()}.` : '';
  return `${String(reason ?? 'for a while')}${until}`;
};

/** A file that was read is known by its name; a program says how it ended first. */
const resultText = (step: Extract<RecordedStep, { kind: 'result' }>): string =>
  step.read ? `lines ${step.read.from}–${step.read.to}` : firstLines(step.text, 4);

const shortInput = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? firstLines(value, 3) : value,
    ]),
  );

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What a call of our own tools, or of tools that look like them, writes to a file. */
function changeOf(input: Record<string, unknown>): FileChange | undefined {
  const path = text(input['path']) ?? text(input['file_path']) ?? text(input['filePath']);
  const [whole, after] = [text(input['content']), text(input['new_content']) ?? text(input['new_string'])];
  const before = text(input['old_content']) ?? text(input['old_string']);
  if (path === undefined) return undefined;
  if (whole !== undefined) return { path, old_text: undefined, new_text: whole };
  return before === undefined || after === undefined
    ? undefined
    : { path, old_text: before, new_text: after };
}

const parts = [
  'Do the task',
  'Check the change with the tools of the project',
  'Run its tests',
  'Make the branch',
];

/** How far a run of one node is, as a plan that an editor shows: `done` parts are behind it. */
export const planEvent = (done: number): CallEvent => ({
  type: 'plan',
  entries: parts.map((content, at) => ({
    content,
    status: at < done ? 'completed' : at === done ? 'in_progress' : 'pending',
  })),
});

/** The part of the plan that a step leads to; undefined where it stays. Tests are run on what has passed the other tools. */
export function partOf(step: RecordedStep): number | undefined {
  if (step.kind === 'begun') return 0;
  if (step.kind === 'ended') return step.result === 'done' ? 1 : undefined;
  return step.kind === 'note' && step.about.startsWith('tester ') ? 2 : undefined;
}
