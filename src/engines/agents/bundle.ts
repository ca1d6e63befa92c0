import type { Loop } from './loop-state.ts';

const mostOfAnswer = 4000;
const answersShown = 5;

/**
 * What the next worker needs where a context is full: the task word for word comes with its brief; this is what was done,
 * which files were changed and what the old worker said last. Made without a model: there is no room left to ask one.
 */
export function bundleOf({ brief, conversation }: Pick<Loop, 'brief' | 'conversation'>): string {
  const changed = [...conversation.sent]
    .filter(([, parts]) => parts.some(({ to }) => to === 0))
    .map(([path]) => path);
  const read = [...conversation.sent.keys()].filter((path) => !changed.includes(path));
  const said = conversation.messages
    .flatMap((message) =>
      message.role === 'assistant' && message.text.trim() !== '' ? [message.text.trim()] : [],
    )
    .slice(-answersShown)
    .map((text) => text.slice(0, mostOfAnswer));
  return [
    `The context of the worker before you was full (engineer_context_95%), in leg ${brief.leg}. Its files are in your tree.`,
    changed.length > 0 ? `Files that it changed: ${changed.join(', ')}` : 'It had changed no file.',
    ...(read.length > 0 ? [`Files that it read: ${read.slice(0, 50).join(', ')}`] : []),
    ...(said.length > 0 ? ['What it said last:', ...said] : []),
    ...(brief.message ? ['What it was told itself:', brief.message.slice(0, mostOfAnswer)] : []),
  ].join('\n');
}
