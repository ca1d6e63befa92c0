import type { Classification } from '../../engines/answers/reader/index.ts';
import { memoryCaller } from '../memory/shared.ts';
import type { OperationContext } from '../operation.ts';
import type { Dispatched } from './shared.ts';

type Given = NonNullable<Classification['command']>['arguments'];
type Command = (context: OperationContext, given: Given) => Promise<string>;

async function stand(context: OperationContext, [id]: Given) {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  const own = async () =>
    memory.sessions.forCaller(caller, id ?? (await memory.sessions.current.peek(caller))?.id ?? '');
  return { memory, caller, own };
}

const switchTo: Command = async (context, given) => {
  const { memory, caller, own } = await stand(context, given);
  const { session } = await memory.sessions.current.switchTo(caller, (await own()).id);
  return `${session.id}${session.name ? ` (${session.name})` : ''} is your session now.`;
};

const commands: Record<string, Command> = {
  'session new': async (context, given) => {
    const { memory, caller } = await stand(context, []);
    const name = given.join(' ');
    const metadata = { client: caller.client, worktree: caller.worktree };
    const { id } = await memory.sessions.create({ name: name || undefined, metadata });
    return switchTo(context, [id]);
  },
  'session switch': switchTo,
  'session show': async (context, given) => {
    const { own, memory } = await stand(context, given);
    return (await memory.summarise(await own())).text;
  },
  'session suspend': async (context, given) => {
    const { memory, own } = await stand(context, given);
    return `${(await memory.suspend(await own())).id} is suspended.`;
  },
  'session resume': async (context, given) => {
    const { memory, own } = await stand(context, given);
    return `${(await memory.sessions.transition((await own()).id, 'resume')).id} is active.`;
  },
  'session complete': async (context, given) => {
    const { memory, own } = await stand(context, given);
    return `${(await memory.complete(await own())).session.id} is completed.`;
  },
  'session close': async (context, given) => {
    const { memory, own } = await stand(context, given);
    return `${(await memory.sessions.close((await own()).id)).id} is closed.`;
  },
};

async function list(context: OperationContext): Promise<string> {
  const { memory, caller } = await stand(context, []);
  const rows: string[] = [];
  for (const each of await memory.sessions.list())
    if (caller.kind === 'person' || (await memory.sessions.forCaller(caller, each.id).catch(() => undefined)))
      rows.push(`${each.id}  ${each.state.padEnd(9)}  ${each.name}`);
  return rows.slice(0, 20).join('\n') || 'There is no session yet.';
}

/** `/session …` is done at once. Said in other words, sessions are only listed, and the command is offered. */
export async function sessionCommand(
  context: OperationContext,
  { command }: Classification,
): Promise<Dispatched> {
  const known = command && commands[command.name];
  const answer = known ? await known(context, command.arguments) : await list(context);
  const offered = command
    ? []
    : ['as a command it is done at once: /session new|switch|suspend|resume|complete|close'];
  return { status: 'done', answer, citations: [], notes: offered };
}
