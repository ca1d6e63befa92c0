import { truncateToWidth } from '@earendil-works/pi-tui';
import { terminalCommands } from './commands.ts';
import type { Theme } from './theme.ts';

const keys: Array<[key: string, does: string]> = [
  ['Enter', 'send; while something is answered, it waits in line'],
  ['Alt-Enter, Ctrl-J', 'a new line'],
  ['Up, Down', 'what you sent before'],
  ['Tab', 'complete a command, a file, an agent'],
  ['Ctrl-G', 'write in your editor ($VISUAL, $EDITOR)'],
  ['PageUp, PageDown', 'scroll; Ctrl-Home and Ctrl-End go to the ends'],
  ['Ctrl-F', 'search what is shown; Enter goes on, Esc closes'],
  ['Ctrl-N', 'what waits for you, and its answers'],
  ['Ctrl-R', 'runs: go into a node; its steps, changed lines, findings'],
  ['Ctrl-T', 'a new tab, a session of its own'],
  ['Alt-1 … Alt-9', 'go to a tab'],
  ['Esc', 'stop what is being answered; close what is open'],
  ['Ctrl-C', 'clear the line; twice: leave'],
];

export function helpLines(width: number, theme: Theme): string[] {
  const row = (left: string, right: string) =>
    truncateToWidth(` ${theme.accent(left.padEnd(18))} ${right}`, width, '…', true);
  return [
    ...keys.map(([key, does]) => row(key, does)),
    '',
    truncateToWidth(theme.strong(' Commands: these, and every command of sylk after a slash'), width, '…'),
    ...Object.entries(terminalCommands).map(([name, about]) => row(`/${name}`, about)),
  ];
}
