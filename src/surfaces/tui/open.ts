import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import { createGit } from '../../base/git/index.ts';
import { runOnTerminal } from '../../base/process/index.ts';
import { userDirectories } from '../../base/user-directory.ts';
import { callsInThread } from './calls.ts';
import { type KeptFile, openKept } from './kept.ts';
import { createTerminal, type Terminal } from './terminal.ts';

export interface OpenOptions {
  directory: string;
  env: NodeJS.ProcessEnv;
  flags: string[];
  isPlain: boolean;
  isPrompting: boolean;
  out(text: string): void;
  /** Commands of `sylk`, for completion. */
  verbs: Array<{ verb: string; about: string }>;
  verbOf(words: string[]): string | undefined;
}

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
  const open = options.isPlain ? openPlain : openOnScreen;
  try {
    await open(options, { calls, root, kept, told, onTold: (work) => (tell = work) });
  } finally {
    await calls.close();
  }
}

interface Opened {
  calls: Awaited<ReturnType<typeof callsInThread>>['calls'];
  root: string;
  kept: KeptFile;
  told: string[];
  onTold(work: (line: string) => void): void;
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
}

async function openOnScreen({ env, verbs, verbOf }: OpenOptions, opened: Opened): Promise<void> {
  const [{ createScreen }, { themeOf, themeNames }, { createCompletion }, { createKeys }] = await Promise.all(
    [import('./screen.ts'), import('./theme.ts'), import('./completion.ts'), import('./keys.ts')],
  );
  const { kept, root } = opened;
  let theme = themeOf(env, kept.kept().choices['theme']);
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let shownTab = '';
  const terminal = createTerminal({
    ...opened,
    verbOf,
    onChange: () => {
      const { active } = terminal.view();
      if (active !== shownTab) {
        shownTab = active;
        screen.setDraft(terminal.draftOf(active));
      }
      screen.refresh();
    },
    onCommand: (name, rest) => {
      if (name === 'quit') leave();
      else if (name === 'help') screen.help();
      else if (name === 'edit') void edit();
      else if (name === 'copy') copy();
      else if (name === 'theme') {
        if (!themeNames.includes(rest)) return terminal.note(`Themes: ${themeNames.join(', ')}.`);
        kept.write({ type: 'chosen', name: 'theme', value: rest });
        theme = themeOf(env, rest);
        screen.tui.invalidate();
      }
    },
  });
  const copy = () => {
    const said = terminal
      .view()
      .tabs.find(({ id }) => id === terminal.view().active)
      ?.items.findLast(({ kind }) => kind === 'said');
    if (!said) return terminal.note('There is no answer to copy yet.');
    screen.copy(said.text);
    screen.say('Copied.');
  };
  const edit = async () => {
    const directory = state.temporaryDirectory('sylk-line-');
    const draft = join(directory, 'message.md');
    state.write(draft, screen.editor.getExpandedText());
    await screen.away(() => runOnTerminal(env.VISUAL || env.EDITOR || 'vi', draft, env));
    const text = state.read(draft).toString('utf8').replace(/\n$/, '');
    state.remove(directory);
    screen.editor.setText(text);
    terminal.keepDraft(text);
  };
  const screen = createScreen({
    view: terminal.view,
    theme: () => theme,
    onSubmit: (text) => {
      screen.editor.addToHistory(text);
      terminal.submit(text);
    },
    onDraft: (text) => drafts.keep(text),
    onKey: (key) => pressed(key),
  });
  const drafts = createDrafts((text) => terminal.keepDraft(text));
  const pressed = createKeys({ terminal, screen, edit: () => void edit(), leave: () => leave() });
  for (const line of kept.kept().history) screen.editor.addToHistory(line);
  screen.editor.setAutocompleteProvider(createCompletion({ verbs, files: filesOf(root) }));
  opened.onTold((line) => terminal.note(line));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, () => leave());
  screen.start();
  const opening = terminal.open().then(() => opened.told.forEach(terminal.note));
  await Promise.race([left, opening.then(() => left)]);
  drafts.flush();
  screen.stop();
}

const largeDraft = 8192;

/** A short draft is kept at every key; a long one when the keys rest. */
function createDrafts(keep: (text: string) => void) {
  let due: NodeJS.Timeout | undefined;
  let last: string | undefined;
  const flush = () => {
    clearTimeout(due);
    due = undefined;
    if (last !== undefined) keep(last);
    last = undefined;
  };
  return {
    keep: (text: string) => {
      last = text;
      if (text.length < largeDraft) return flush();
      due ??= setTimeout(flush, 200);
    },
    flush,
  };
}

const filesMs = 15_000;
function filesOf(root: string): () => Promise<string[]> {
  let read: Promise<string[]> | undefined;
  let at = 0;
  const list = async () => {
    const text = await createGit(root).text(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
    return text.split('\0').filter(Boolean);
  };
  return () => {
    if (!read || Date.now() - at > filesMs) {
      at = Date.now();
      read = list().catch(() => []);
    }
    return read;
  };
}
