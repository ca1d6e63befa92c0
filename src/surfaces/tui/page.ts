import { type Component, matchesKey, truncateToWidth } from '@earendil-works/pi-tui';
import type { Theme } from './theme.ts';

/** A page over the conversation: a title, lines that can be scrolled, and a line that says which keys it knows. */
export interface Page {
  title(): string;
  lines(width: number): string[];
  /** The line that has to stay in sight, where one is chosen. */
  chosen?(width: number): number | undefined;
  keys(): string;
  /** True where the key was taken. */
  onKey(key: string): boolean;
}

export function createPageComponent(
  page: Page,
  { theme, rows, close }: { theme(): Theme; rows(): number; close(): void },
): Component {
  let top = 0;
  const room = () => Math.max(1, rows() - 4);
  return {
    invalidate: () => {},
    handleInput: (key) => {
      if (page.onKey(key)) return;
      if (matchesKey(key, 'escape') || key === 'q') close();
      else if (matchesKey(key, 'down')) top += 1;
      else if (matchesKey(key, 'up')) top = Math.max(0, top - 1);
      else if (matchesKey(key, 'pageDown') || key === ' ') top += room();
      else if (matchesKey(key, 'pageUp')) top = Math.max(0, top - room());
    },
    render: (width) => {
      const lines = page.lines(width);
      const chosen = page.chosen?.(width);
      if (chosen !== undefined) top = Math.min(Math.max(top, chosen - room() + 2), chosen);
      top = Math.max(0, Math.min(top, lines.length - room()));
      const shown = lines.slice(top, top + room());
      const more = lines.length > room() ? ` ${top + 1}–${top + shown.length} of ${lines.length}` : '';
      const bar = (text: string) => theme().selected(truncateToWidth(` ${text}`, width, '…', true));
      return [
        bar(`${page.title()}${more}`),
        ...shown.map((line) => truncateToWidth(line, width, '…', true)),
        ...Array.from({ length: room() - shown.length }, () => ' '.repeat(width)),
        bar(lines.length > room() ? `${page.keys()} · PageUp, PageDown` : page.keys()),
      ];
    },
  };
}
