import type { Output } from '../api/client.ts';
import type { Tone } from '../components/states.tsx';

export type Run = Output<'get_run'>;
export type RunNode = Run['nodes'][number];

const words: Record<string, [text: string, tone: Tone]> = {
  pending: ['not begun', 'plain'],
  queued: ['in line', 'plain'],
  working: ['at work', 'warn'],
  inspecting: ['being inspected', 'warn'],
  testing: ['being tested', 'warn'],
  merging: ['being merged', 'warn'],
  reverting: ['being taken out', 'warn'],
  asking: ['needs you', 'bad'],
  'waits for you': ['waits for you', 'bad'],
  interrupted: ['interrupted', 'bad'],
  failed: ['failed', 'bad'],
  done: ['done', 'good'],
  completed: ['completed', 'good'],
  running: ['at work', 'warn'],
  planning: ['being planned', 'warn'],
  parked: ['waits', 'plain'],
};

/** How far a run or a node is, as people say it. */
export const stageOf = (stage: string): [text: string, tone: Tone] =>
  words[stage] ?? [stage.replaceAll('_', ' '), 'plain'];

export const hasEnded = (status: string): boolean => ['completed', 'failed', 'cancelled'].includes(status);

/** What is known of the cost, and how much of it is not. */
export function costText({ cost, unpriced, unmeasured, tokens }: Run): string {
  const known = unpriced > 0 && cost === 0 ? 'price unknown' : `$${cost.toFixed(4)}`;
  const used = `${(tokens.input + tokens.output).toLocaleString('en')} tokens`;
  return `${known}, ${unmeasured > 0 ? 'at least ' : ''}${used}`;
}

/** What a node took: how often it was sent back, legs, tokens, cost. */
export function nodeFacts({ loops, legs, tokens, cost }: RunNode): string {
  const sent = loops.inspector + loops.tester + loops.merge;
  const used = tokens.input + tokens.output;
  return [
    sent > 0 ? `sent back ${sent} ×` : '',
    legs > 1 ? `${legs} legs` : '',
    used > 0 ? `${used.toLocaleString('en')} tokens` : '',
    cost > 0 ? `$${cost.toFixed(4)}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
