import type { ModelRequest } from '../../base/model/index.ts';
import type { Feedback } from '../../stores/runs/index.ts';
import { instructionsFor } from './brief-text.ts';
import documents from './documents.json' with { type: 'json' };
import type { Loop } from './loop-state.ts';

const mostOfAnswer = 4_000;
const mostOfFeedback = 1_500;
const answersShown = 5;

type Told = Pick<Loop, 'brief' | 'context' | 'conversation'>;

const headingsOf = ({ context }: Pick<Told, 'context'>): Record<string, string> => {
  const name = context.role?.memory.document ?? '';
  return Object.entries(documents).find(([document]) => document === name)?.[1] ?? documents.pipeline_handoff;
};

/** Asks for the headings of the document that a role stores. */
export function notesRequest(loop: Told): ModelRequest {
  const lines = Object.entries(headingsOf(loop)).map(([heading, what]) => `${heading}: ${what}`);
  const text = [
    'Your context is nearly full. Write down what whoever goes on with this work needs, under these headings, in plain lines.',
    'Copy names, paths, values and decisions exactly. Leave out what the task says already. Call no tool.',
    '',
    ...lines,
  ].join('\n');
  return {
    instructions: instructionsFor(loop.brief, loop.context.role?.prompt),
    messages: [...loop.conversation.messages, { role: 'user', text }],
  };
}

/**
 * What a conversation leaves to the one that follows it. The steps tell which files were changed and read, what judges and persons said
 * and what was said last; the agent's own notes stand before it. The task itself comes with the next brief, word for word.
 */
export function documentText(
  { brief, conversation }: Told,
  { reason, index, notes }: { reason: string; index?: number; notes: string },
): string {
  const changed = [...conversation.sent].filter(([, parts]) => parts.some(({ to }) => to === 0));
  const [changedFiles, all] = [changed.map(([path]) => path), [...conversation.sent.keys()]];
  const read = all.filter((path) => !changedFiles.includes(path));
  const said = conversation.messages
    .flatMap((message) =>
      message.role === 'assistant' && message.text.trim() !== '' ? [message.text.trim()] : [],
    )
    .slice(-answersShown)
    .map((text) => text.slice(0, mostOfAnswer));
  const list = (title: string, items: string[]) => (items.length === 0 ? [] : [`${title}:`, ...items]);
  return [
    `${reason}, node ${brief.node} of ${brief.run}, leg ${brief.leg}${index === undefined ? '' : `, summary ${index}`}. Its files are in the tree.`,
    ...(notes.trim() === '' ? [] : [notes.trim()]),
    changedFiles.length > 0 ? `Files changed: ${changedFiles.join(', ')}` : 'No file was changed.',
    ...(read.length > 0 ? [`Files read: ${read.slice(0, 50).join(', ')}`] : []),
    ...list('Found by the inspector', findingsOf(brief.feedback, 'inspector')),
    ...list('Found by the tester', findingsOf(brief.feedback, 'tester')),
    ...(notes.trim() === '' ? list('Said last', said) : []),
    ...(brief.message ? ['Handed over to it:', brief.message.slice(0, mostOfAnswer)] : []),
  ].join('\n');
}

const findingsOf = (feedback: Feedback[], from: Feedback['from']): string[] =>
  feedback.filter((each) => each.from === from).map(({ text }) => text.slice(0, mostOfFeedback));
