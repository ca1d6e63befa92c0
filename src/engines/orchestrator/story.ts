import type { Command, RunEvent } from '../../stores/runs/index.ts';
import { decide, type RunState } from './decide/index.ts';
import texts from './story.json' with { type: 'json' };

/** The events of a run as sentences, each with the time since the first, and with what it set off. */
export function tellStory(events: RunEvent[]): string[] {
  const tell = createStory();
  const wide = String(events.length).length + 1;
  return events.map((event, at) => `${`${at + 1}.`.padStart(wide)}  ${tell(event)}`);
}

/** One event after another, from the first on: its sentence. */
export function createStory(): (event: RunEvent) => string {
  let state: RunState | undefined;
  let start: number | undefined;
  return (event) => {
    start ??= event.at;
    const before = state;
    const { state: after, commands, signals } = decide(before, event);
    state = after;
    const nodeOf = (id: string) =>
      [...(before?.open ?? []), ...commands].find((each) => each.id === id)?.node;
    const follows = [
      ...commands.map((command) => fill(texts.does[command.kind], fieldsOfCommand(command, event.at))),
      ...signals.map(({ kind, command }) =>
        fill(texts.tells[kind], { node: nodeOf(command) ?? 'the planner' }),
      ),
      ...(before?.status === after.status ? [] : [`the run is ${after.status}`]),
    ];
    const told = `${duration(event.at - start)}  ${sentence(event, before)}`;
    return follows.length > 0 ? `${told} → ${follows.join(', ')}` : told;
  };
}

function sentence(event: RunEvent, state: RunState | undefined): string {
  if (event.type === 'node_prompted' && event.question) return fill(texts.node_asked, fieldsOf(event));
  if (event.type === 'gate_overridden' && event.taken_back)
    return fill(texts.override_taken_back, fieldsOf(event));
  if (event.type !== 'answered') return fill(texts[event.type], fieldsOf(event));
  const command = state?.open.find(({ id }) => id === event.command);
  if (!command) return fill(texts.late, { command: event.command });
  const known = new Map(Object.entries<unknown>(texts));
  const text = known.get(`${command.kind} ${event.outcome.result}`);
  return fill(String(text), { node: command.node, ...fieldsOf(event.outcome) });
}

/** What a sentence may name, in words that stand in one line. */
function fieldsOf(record: object): Record<string, unknown> {
  const { plan, commit, ...fields } = Object.fromEntries(Object.entries(record));
  const count = plan?.nodes.length;
  return { ...fields, commit: commit?.slice(0, 12), nodes: `${count} ${count === 1 ? 'node' : 'nodes'}` };
}

const fieldsOfCommand = (
  { node, leg = 0, message, at = 0 }: Command,
  now: number,
): Record<string, unknown> => ({
  node,
  leg: leg > 1 ? leg : undefined,
  message,
  wait: duration(at - now),
});

/** `{name}` is the field; a part in brackets is left out where its field is missing or empty. */
function fill(text: string, fields: Record<string, unknown>): string {
  const textOf = (name: string) => oneLine(String(fields[name] ?? ''));
  const isKnown = (part: string) =>
    [...part.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => textOf(name) !== '');
  return text
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (isKnown(part) ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => textOf(name));
}

const longest = 300;
function oneLine(text: string): string {
  const line = text.trim().replace(/\s*\n\s*/g, ' / ');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** Hours, minutes and seconds. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
