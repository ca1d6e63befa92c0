import {
  type Component,
  Editor,
  HStack,
  KeybindingsManager,
  matchesKey,
  type OverlayHandle,
  ProcessTerminal,
  type Terminal as ScreenTerminal,
  setKeybindings,
  TUI_KEYBINDINGS,
  TuiAltScreen,
  truncateToWidth,
  VStack,
  visibleWidth,
} from '@earendil-works/pi-tui';
import { createConversation } from './conversation.ts';
import { createPageComponent, type Page } from './page.ts';
import { runsLines } from './run-lines.ts';
import { editorTheme, type Theme } from './theme.ts';
import { activeTab, type View } from './view.ts';

/** Events are drawn together, at most this often; a key is drawn at once. */
const frameMs = 1000 / 14;

/** What was typed before the start is read within this time. */
const earlyMs = 500;

/** From here on the runs stand beside the conversation. */
const wideColumns = 150;

const keys = {
  'tui.altScreen.search': 'ctrl+f',
  'tui.altScreen.top': 'ctrl+home',
  'tui.altScreen.bottom': 'ctrl+end',
  'tui.editor.cursorRight': 'right',
  'tui.editor.cursorLineStart': ['home', 'ctrl+a'],
  'tui.editor.cursorLineEnd': ['end', 'ctrl+e'],
  'tui.input.newLine': ['shift+enter', 'alt+enter', 'ctrl+j'],
} as const;

export interface ScreenOptions {
  view(): View;
  theme(): Theme;
  /** A key that is not the editor's; true where it was taken. */
  onKey(key: string): boolean;
  onSubmit(text: string): void;
  onDraft(text: string): void;
  /** Replaced in tests and labs. */
  terminal?: ScreenTerminal;
}

/** Draws the view with pi-tui; decides nothing. */
export function createScreen({ view, theme, onKey, onSubmit, onDraft, terminal }: ScreenOptions) {
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, mutable(keys)));
  const tui = new TuiAltScreen(terminal ?? new ProcessTerminal(), false, undefined, {
    wheelScrollLines: 3,
    scrollToEndIndicator: () => theme().selected(' ↓ newest '),
  });
  const editor = new Editor(tui, editorTheme(theme), { autocompleteMaxVisible: 8 });
  let isQuietChange = false;
  editor.onSubmit = onSubmit;
  editor.onChange = () => {
    if (!isQuietChange) onDraft(editor.getExpandedText());
  };
  let hint = '';
  let hintEnd: NodeJS.Timeout | undefined;
  const line = (render: (width: number) => string[]): Component => ({ render, invalidate: () => {} });
  const header = line((width) => [truncateToWidth(headerText(view(), theme()), width, '…', true)]);
  const footer = line((width) => footerLines(view(), theme(), hint, width));
  const conversation = createConversation(view, theme);
  const { scroll } = conversation;
  const rows = () => tui.terminal.rows;
  const hasRuns = () => view().runs.length > 0;
  const isWide = (width: number) => width >= wideColumns;
  const below = line((width) => runsLines(view(), width, Math.max(3, Math.floor(rows() * 0.35)), theme()));
  const beside = line((width) => runsLines(view(), width, rows() - 6, theme()));
  const body = new HStack(
    [
      { component: scroll, basis: 0, grow: 1, minSize: 40 },
      { component: beside, basis: 66, visible: ({ width }) => isWide(width) && hasRuns() },
    ],
    { gap: 2 },
  );
  tui.setLayoutRoot(
    new VStack([
      { component: header, basis: 1 },
      { component: body, basis: 0, grow: 1, minSize: 1 },
      { component: below, basis: 'auto', visible: ({ width }) => !isWide(width) && hasRuns() },
      { component: editor, basis: 'auto', shrink: 1, minSize: 3 },
      { component: footer, basis: 'auto' },
    ]),
  );
  tui.setFocus(editor);

  let startedAt = Number.NEGATIVE_INFINITY;
  let overlay: OverlayHandle | undefined;
  const closeOverlay = (): boolean => {
    if (!overlay) return false;
    overlay.hide();
    overlay = undefined;
    tui.setFocus(editor);
    tui.requestRender();
    return true;
  };
  tui.addInputListener((data) => {
    // Typed before the terminal was ours, Enter came as a line feed.
    if (data === '\n' && performance.now() - startedAt < earlyMs) return { data: '\r' };
    if (overlay && !matchesKey(data, 'ctrl+c')) return undefined;
    if (onKey(data)) {
      tui.requestRender();
      return { consume: true };
    }
    return undefined;
  });

  let due: NodeJS.Timeout | undefined;
  return {
    tui,
    editor,
    start: () => {
      startedAt = performance.now();
      tui.start();
    },
    /** Shows what happened, soon. */
    refresh: () => {
      due ??= setTimeout(() => {
        due = undefined;
        conversation.showAnswer(() => tui.requestRender());
        tui.requestRender();
      }, frameMs);
    },
    /** A line of advice under the editor, until the next one, or for as long as it holds. */
    say: (text: string, forMs?: number) => {
      clearTimeout(hintEnd);
      hint = text;
      tui.requestRender();
      if (forMs === undefined) return;
      hintEnd = setTimeout(() => {
        hint = '';
        tui.requestRender();
      }, forMs);
    },
    setDraft: (text: string) => {
      isQuietChange = true;
      editor.setText(text);
      isQuietChange = false;
      tui.requestRender();
    },
    /** Shows a page over everything until it is closed. */
    open: (page: Page) => {
      closeOverlay();
      const component = createPageComponent(page, { theme, rows, close: closeOverlay });
      overlay = tui.showOverlay(component, { row: 1, col: 0, width: '100%', maxHeight: '100%' });
    },
    closeOverlay,
    showNewest: conversation.showNewest,
    copy: (text: string) =>
      tui.terminal.write(`\x1b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\x07`),
    /** Gives the terminal to another program, and takes it back. */
    away: async (work: () => Promise<unknown>) => {
      tui.stop({ preserveScreen: true });
      await work().finally(() => {
        tui.start();
        tui.requestRender(true);
      });
    },
    /** What was shown stays in the terminal's own scrollback. */
    stop: () => {
      clearTimeout(due);
      clearTimeout(hintEnd);
      const lines = conversation.render(tui.terminal.columns);
      tui.stop({ preserveScreen: true });
      tui.terminal.write(lines.map((each) => `${each}\x1b[0m\r\n`).join(''));
    },
  };
}

type Mutable = Record<string, string[] | string>;
/** The library wants lists that it may change. */
function mutable(given: Record<string, string | readonly string[]>) {
  const lists: Mutable = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
  return lists as ConstructorParameters<typeof KeybindingsManager>[1];
}

function headerText({ root, tabs, active, waiting }: View, theme: Theme): string {
  const name = root.split('/').at(-1) ?? '';
  const titles = tabs.map(({ id, title, asking }, at) => {
    const text = ` ${at + 1} ${title}${asking ? ' …' : ''} `;
    return id === active ? theme.selected(text) : theme.quiet(text);
  });
  const needs = waiting.length > 0 ? ` ${theme.warn(`needs you: ${waiting.length} (Ctrl-N)`)}` : '';
  return `${theme.strong(` ${name} `)}${titles.join('')}${needs}`;
}

function footerLines(view: View, theme: Theme, hint: string, width: number): string[] {
  const tab = activeTab(view);
  const queued = (tab?.queue ?? []).map((text) => theme.quiet(`  then: ${text.split('\n', 1)[0]}`));
  const doing = tab?.asking && (tab.asking.progress || 'answering');
  const left = hint || (doing ? `${doing} · Esc stops` : '? keys · / commands · @ files and agents');
  const right = width >= 60 ? 'Ctrl-C twice leaves' : '';
  const room = Math.max(0, width - visibleWidth(right) - 1);
  const text = truncateToWidth(left, room, '…');
  const gap = ' '.repeat(Math.max(1, width - visibleWidth(text) - visibleWidth(right)));
  return [
    ...queued.slice(0, 3).map((each) => truncateToWidth(each, width, '…')),
    truncateToWidth(theme.quiet(`${text}${gap}${right}`), width, ''),
  ];
}
