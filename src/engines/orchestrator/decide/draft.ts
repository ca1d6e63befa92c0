import type { Command, Signal } from '../../../stores/runs/index.ts';
import { runFormat, waitingKinds } from '../../../stores/runs/index.ts';
import type { NodeState, RunState } from './state.ts';

/** One event being folded in: a copy of the state that may be changed, and what the event asks for. */
export interface Draft {
  readonly state: RunState;
  readonly at: number;
  readonly commands: Command[];
  readonly signals: Signal[];
  /** Commands that need no answer any more. */
  readonly withdrawn: string[];
  readonly copied: Set<string>;
}

export function startDraft(state: RunState, at: number): Draft {
  return {
    state: {
      ...state,
      format: runFormat,
      number: state.number + 1,
      nodes: [...state.nodes],
      open: [...state.open],
    },
    at,
    commands: [],
    signals: [],
    withdrawn: [],
    copied: new Set(),
  };
}

/** The node as something that may be changed: copied at its first change of an event. */
export function edit(draft: Draft, { id }: { id: string }): NodeState {
  const place = draft.state.nodes.findIndex((node) => node.id === id);
  const node = draft.state.nodes[place];
  if (!node) throw new Error(`no node ${id}`);
  if (draft.copied.has(id)) return node;
  draft.copied.add(id);
  const copy = {
    ...node,
    loops: { ...node.loops },
    overrides: [...node.overrides],
    feedback: [...node.feedback],
  };
  draft.state.nodes[place] = copy;
  return copy;
}

export function issue(draft: Draft, wanted: Omit<Command, 'id'>): Command {
  const command = { id: `${draft.state.run}:${draft.state.number}:${draft.commands.length}`, ...wanted };
  draft.commands.push(command);
  draft.state.open.push(command);
  if (wanted.node !== undefined) edit(draft, { id: wanted.node }).command = command.id;
  return command;
}

/** Takes a command from the list of open ones. */
export function close(draft: Draft, id: string): Command | undefined {
  const place = draft.state.open.findIndex((command) => command.id === id);
  return place === -1 ? undefined : draft.state.open.splice(place, 1)[0];
}

export function withdraw(draft: Draft, id: string) {
  if (close(draft, id)) draft.withdrawn.push(id);
}

/** Asks whoever executes a command to end it; it is answered all the same. */
export function stopCommand(draft: Draft, id: string) {
  const isTold = draft.signals.some(({ command, kind }) => command === id && kind === 'stop');
  if (!isTold) draft.signals.push({ command: id, kind: 'stop' });
}

/** Frees a node of its command: a question or a timer is withdrawn at once, anything else is told to stop. True if it is free. */
export function releaseCommand(draft: Draft, node: NodeState): boolean {
  const command = draft.state.open.find(({ id }) => id === node.command);
  if (!command) return true;
  if (!waitingKinds.has(command.kind)) {
    stopCommand(draft, command.id);
    return false;
  }
  withdraw(draft, command.id);
  const own = edit(draft, node);
  own.command = undefined;
  own.asking = undefined;
  return true;
}
