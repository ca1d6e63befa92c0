import type { ReadQuestion } from '../answers/reader/index.ts';
import type { Memory, MemoryCaller, SessionChange } from '../memory/index.ts';

type Command = NonNullable<ReadQuestion['command']>;

/** `/session CHANGE`, and the text of its result. */
const changes: Record<string, [change: SessionChange, result: string]> = {
  'session switch': ['switch', 'is now your session'],
  'session suspend': ['suspend', 'is suspended'],
  'session resume': ['resume', 'is active'],
  'session complete': ['complete', 'is completed'],
  'session close': ['close', 'is closed'],
};

/** Runs `/session …` at once. In other words, sessions are only listed, and the command is offered. */
export async function runSessionCommand(memory: Memory, caller: MemoryCaller, command: Command | undefined) {
  const answer = (command && (await runCommand(memory, caller, command))) ?? (await list(memory, caller));
  const notes = command
    ? []
    : ['use the command to change it: /session new|switch|suspend|resume|complete|close'];
  return { status: 'done' as const, answer, citations: [], notes };
}

async function runCommand(
  memory: Memory,
  caller: MemoryCaller,
  { name, arguments: words }: Command,
): Promise<string | undefined> {
  const own = async (id = words[0]) =>
    memory.sessions.forCaller(caller, id ?? (await memory.sessions.current.peek(caller))?.id ?? '');
  const change = async ([verb, result]: [SessionChange, string], id?: string) => {
    const session = await memory.changeSession(caller, await own(id), verb);
    return `${session.id}${verb === 'switch' && session.name ? ` (${session.name})` : ''} ${result}.`;
  };
  if (name === 'session show') return (await memory.summarise(await own())).text;
  if (name === 'session new') {
    const metadata = { client: caller.client, worktree: caller.worktree };
    const { id } = await memory.sessions.create({ name: words.join(' ') || undefined, metadata });
    return change(['switch', 'is now your session'], id);
  }
  return changes[name] && change(changes[name]);
}

async function list({ sessions }: Memory, caller: MemoryCaller): Promise<string> {
  const visible = sessions.visibleTo(caller, await sessions.list());
  const rows = visible.slice(0, 20).map(({ id, state, name }) => `${id}  ${state.padEnd(9)}  ${name}`);
  return rows.join('\n') || 'No sessions yet.';
}
