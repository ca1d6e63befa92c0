import type { EditorTheme, MarkdownTheme } from '@earendil-works/pi-tui';

type Style = (text: string) => string;

/** Colours by what they mean. */
export interface Theme {
  accent: Style;
  quiet: Style;
  strong: Style;
  good: Style;
  warn: Style;
  bad: Style;
  code: Style;
  selected: Style;
}

const sgr =
  (on: string, off: string): Style =>
  (text) =>
    text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`;
const colour = (code: string): Style => sgr(code, '39');
const plain: Style = (text) => text;
const strong = sgr('1', '22');
const selected = sgr('7', '27');

/** `terminal` takes the colours that the person's terminal has, so it fits dark and light ones. */
const themes: Record<string, Theme> = {
  terminal: {
    accent: colour('36'),
    quiet: sgr('2', '22'),
    strong,
    good: colour('32'),
    warn: colour('33'),
    bad: colour('31'),
    code: colour('36'),
    selected,
  },
  dark: {
    accent: colour('38;5;117'),
    quiet: colour('38;5;245'),
    strong,
    good: colour('38;5;114'),
    warn: colour('38;5;221'),
    bad: colour('38;5;210'),
    code: colour('38;5;152'),
    selected,
  },
  light: {
    accent: colour('38;5;25'),
    quiet: colour('38;5;243'),
    strong,
    good: colour('38;5;28'),
    warn: colour('38;5;130'),
    bad: colour('38;5;124'),
    code: colour('38;5;24'),
    selected,
  },
  none: { accent: plain, quiet: plain, strong, good: plain, warn: plain, bad: plain, code: plain, selected },
};

export const themeNames = Object.keys(themes);

/** NO_COLOR wins over every choice (https://no-color.org). */
export function themeOf(env: NodeJS.ProcessEnv, chosen = 'terminal'): Theme {
  const name = env.NO_COLOR ? 'none' : chosen;
  return themes[name] ?? themes['terminal']!;
}

export const editorTheme = (theme: () => Theme): EditorTheme => ({
  borderColor: (text) => theme().quiet(text),
  selectList: {
    selectedPrefix: (text) => theme().accent(text),
    selectedText: (text) => theme().accent(text),
    description: (text) => theme().quiet(text),
    scrollInfo: (text) => theme().quiet(text),
    noMatch: (text) => theme().quiet(text),
  },
});

export const markdownTheme = (theme: Theme): MarkdownTheme => ({
  heading: (text) => theme.strong(theme.accent(text)),
  link: theme.accent,
  linkUrl: theme.quiet,
  code: theme.code,
  codeBlock: theme.code,
  codeBlockBorder: theme.quiet,
  quote: theme.quiet,
  quoteBorder: theme.quiet,
  hr: theme.quiet,
  listBullet: theme.accent,
  bold: theme.strong,
  italic: sgr('3', '23'),
  strikethrough: sgr('9', '29'),
  underline: sgr('4', '24'),
});
