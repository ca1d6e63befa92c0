import type { Component } from '@earendil-works/pi-tui';
import { itemLines } from './item-lines.ts';
import type { Theme } from './theme.ts';
import { activeTab, type Item, type View } from './view.ts';

/** The conversation of the tab in front. Lines of an item are made once for each width and theme. */
export function createConversation(view: () => View, theme: () => Theme): Component {
  let made = new WeakMap<Item, { width: number; theme: Theme; lines: string[] }>();
  const linesOf = (item: Item, width: number): string[] => {
    const known = made.get(item);
    if (known && known.width === width && known.theme === theme()) return known.lines;
    const lines = itemLines(item, width, theme());
    made.set(item, { width, theme: theme(), lines });
    return lines;
  };
  return {
    render: (width) => (activeTab(view())?.items ?? []).flatMap((item) => linesOf(item, width)),
    invalidate: () => {
      made = new WeakMap();
    },
  };
}
