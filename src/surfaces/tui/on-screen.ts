import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import { createGit } from '../../base/git/index.ts';
import { runOnTerminal } from '../../base/process/index.ts';
import { createCompletion } from './completion.ts';
import { helpLines } from './help-lines.ts';
import { createKeys } from './keys.ts';
import { createNeedsPage } from './needs-page.ts';
import type { Opened, OpenOptions } from './options.ts';
import type { Page } from './page.ts';
import { createRunsPage } from './runs-page.ts';
import { createScreen } from './screen.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { themeNames, themeOf } from './theme.ts';

/** The terminal on the whole screen, until the person leaves it. */
export async function openOnScreen(
  { env, verbs, verbOf, shellCommands }: OpenOptions,
  opened: Opened,
): Promise<void> {
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
    shellCommands: shellCommands ?? [],
    onChange: () => {
      const { active } = terminal.view();
      if (active !== shownTab) {
        shownTab = active;
        screen.setDraft(terminal.draftOf(active));
        screen.showNewest();
      }
      screen.refresh();
    },
    onCommand: (name, rest) => {
      if (name === 'quit') leave();
      else if (name === 'help' || name === 'needs' || name === 'runs') page(name);
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
  const draft = (text: string) => {
    screen.closeOverlay();
    screen.editor.setText(text);
    terminal.keepDraft(text);
  };
  const page = (name: string) => screen.open(pageOf(name));
  const pageOf = (name: string): Page => {
    const { view, team } = terminal;
    if (name === 'needs')
      return createNeedsPage({
        waiting: () => view().waiting,
        theme: () => theme,
        choose: (need, option) => {
          const more = team.choose(need, option);
          if (more === undefined) return;
          screen.closeOverlay();
          terminal.askWords(more.ask, more.line);
        },
      });
    if (name === 'runs')
      return createRunsPage({
        view,
        theme: () => theme,
        calls: opened.calls,
        onMove: (operation, run, node) => moveRun(team, operation, run, node),
        onAway: team.putAway,
        onDraft: draft,
        onChange: () => screen.refresh(),
      });
    return {
      title: () => 'Keys and commands',
      keys: () => 'Esc closes',
      lines: (width) => helpLines(width, theme),
      onKey: () => false,
    };
  };
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
      screen.showNewest(true);
      if (!terminal.submit(text)) screen.editor.setText(text);
    },
    onDraft: (text) => drafts.keep(text),
    onKey: (key) => pressed(key),
  });
  const drafts = createDrafts((text) => terminal.keepDraft(text));
  const pressed = createKeys({
    terminal,
    screen,
    onPage: page,
    edit: () => void edit(),
    leave: () => leave(),
  });
  for (const line of kept.kept().history) screen.editor.addToHistory(line);
  let menu = new Map<string, string>();
  void opened.calls.call({ help: 'menu' }).then((said) => {
    if (said.kind === 'done') menu = new Map(Object.entries(Object(said.output)));
  });
  screen.editor.setAutocompleteProvider(
    createCompletion({
      verbs: () => verbs.map(({ verb, about }) => ({ verb, about: menu.get(verb) ?? about })),
      files: filesOf(root),
    }),
  );
  opened.onTold((line) => terminal.note(line));
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, () => leave());
  screen.start();
  const opening = terminal.open().then(() => opened.told.forEach(terminal.note));
  await Promise.race([left, opening.then(() => left)]);
  drafts.flush();
  terminal.team.end();
  screen.stop();
}

const longMoves = new Set(['resume_run', 'land_run']);
/** Answers why it failed; '' where it did not, or is not known yet. */
async function moveRun(
  team: Terminal['team'],
  operation: string,
  run: string,
  node: string | undefined,
): Promise<string> {
  const input = { run, ...(node === undefined ? {} : { node }) };
  if (!longMoves.has(operation)) return team.move({ operation, input }, run);
  team.begin({ operation, input }, run);
  return '';
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
