import type { Classification } from '../../engines/answers/reader/index.ts';
import type { SessionChange } from '../../engines/memory/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';
import type { Dispatched } from './shared.ts';

/** `/session CHANGE`, and what is said afterwards. */
const changes: Record<string, [change: SessionChange, result: string]> = {
  'session switch': ['switch', 'is your session now'],
  'session suspend': ['suspend', 'is suspended'],
  'session resume': ['resume', 'is active'],
  'session complete': ['complete', 'is completed'],
  'session close': ['close', 'is closed'],
};

async function runCommand(
  context: OperationContext,
  { name, arguments: words }: NonNullable<Classification['command']>,
): Promise<string | undefined> {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
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
    return change(['switch', 'is your session now'], id);
  }
  const known = changes[name];
  return known && change(known);
}

async function list(context: OperationContext): Promise<string> {
  const { sessions } = await context.app.memory();
  const visible = sessions.visibleTo(memoryCaller(context), await sessions.list());
  const rows = visible.slice(0, 20).map(({ id, state, name }) => `${id}  ${state.padEnd(9)}  ${name}`);
  return rows.join('\n') || 'There is no session yet.';
}

/** `/session …` is done at once. Said in other words, sessions are only listed, and the command is offered. */
export async function sessionCommand(
  context: OperationContext,
  { command }: Classification,
): Promise<Dispatched> {
  const answer = (command && (await runCommand(context, command))) ?? (await list(context));
  const offered = command
    ? []
    : ['as a command it is done at once: /session new|switch|suspend|resume|complete|close'];
  return { status: 'done', answer, citations: [], notes: offered };
}
