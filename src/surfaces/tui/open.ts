import { userDirectories } from '../../base/user-directory.ts';
import { callsInThread } from './calls.ts';
import { openKept } from './kept.ts';
import type { Opened, OpenOptions } from './options.ts';
import { createTerminal, type Terminal } from './terminal.ts';

/** Opens the terminal and answers when the person leaves it. */
export async function openTerminal(options: OpenOptions): Promise<void> {
  const { directory, env, flags } = options;
  const told: string[] = [];
  let tell = (line: string): void => {
    told.push(line);
  };
  const start = { directory, env: { ...env }, flags, person: env.USER ?? 'person' };
  const { calls, root } = await callsInThread(start, (line) => tell(line));
  const kept = openKept(userDirectories(env).state, root);
  try {
    const open = options.isPlain ? openPlain : (await import('./on-screen.ts')).openOnScreen;
    await open(options, { calls, root, kept, told, onTold: (work) => (tell = work) });
  } finally {
    await calls.close();
  }
}

async function openPlain({ verbOf, out, isPrompting }: OpenOptions, opened: Opened): Promise<void> {
  const { plainWriter, runPlain } = await import('./plain.ts');
  const say = (text: string) => out(text === '' ? '' : `${text}\n`);
  let leave = () => {};
  const ended = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const holder: { terminal?: Terminal } = {};
  const write = plainWriter(
    () => holder.terminal!,
    say,
    () => {
      if (isPrompting) out('> ');
    },
  );
  const terminal = createTerminal({
    ...opened,
    verbOf,
    onChange: () => {
      if (holder.terminal) write();
    },
    onCommand: (name) => {
      if (name === 'quit') leave();
      else if (name === 'help')
        say('Ask in plain words, or type /COMMAND as in `sylk COMMAND`. /quit leaves.');
      else terminal.note(`/${name} needs the whole screen.`);
    },
  });
  holder.terminal = terminal;
  opened.onTold(say);
  for (const line of opened.told) say(line);
  await terminal.open();
  await runPlain({ terminal, say, draft: terminal.draftOf('main'), isPrompting, ended });
  terminal.team.end();
}
