import type { RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';

/** The events of a run as sentences, with what each of them set off. */
export function tellStory(events: RunEvent[]): string[] {
  let state: RunState | undefined;
  return events.map((event, at) => {
    const before = state;
    const decision = decide(before, event);
    state = decision.state;
    const follows = [
      ...decision.commands.map(({ kind, node, subject }) =>
        [kind, node, subject && `(${subject})`].filter(Boolean).join(' '),
      ),
      ...decision.signals.map(({ kind, command }) => `tell ${command} to ${kind}`),
      ...(before && before.status !== state.status ? [`now ${state.status}`] : []),
    ];
    return `${at + 1}. ${sentence(event, before)}${follows.length > 0 ? ` → ${follows.join(', ')}` : ''}`;
  });
}

function sentence(event: RunEvent, state: RunState | undefined): string {
  if (event.type === 'created') return `created: ${event.prompt}`;
  if (event.type !== 'answered') {
    const { type, at: _, ...rest } = event;
    const details = Object.values(rest).filter((value) => typeof value !== 'object');
    return [type.replaceAll('_', ' '), ...details].join(' ');
  }
  const command = state?.open.find(({ id }) => id === event.command);
  if (!command) return `late answer to ${event.command}`;
  const said = ['text', 'message', 'question', 'choice', 'reason'].flatMap((name) =>
    name in event.outcome ? String(event.outcome[name as keyof typeof event.outcome]) : [],
  );
  return [command.kind, command.node, event.outcome.result, said.filter(Boolean).join(', ')]
    .filter(Boolean)
    .join(' ');
}
