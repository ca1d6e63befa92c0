import { type Component, ScrollView } from '@earendil-works/pi-tui';
import { itemLines } from './item-lines.ts';
import type { Theme } from './theme.ts';
import { activeTab, type Item, type View } from './view.ts';

/** The conversation of the tab in front. Lines of an item are made once for each width and theme. */
export function createConversation(view: () => View, theme: () => Theme) {
  let made = new WeakMap<Item, { width: number; theme: Theme; lines: string[] }>();
  let drawnWidth = 80;
  const linesOf = (item: Item, width: number): string[] => {
    const known = made.get(item);
    if (known && known.width === width && known.theme === theme()) return known.lines;
    const lines = itemLines(item, width, theme());
    made.set(item, { width, theme: theme(), lines });
    return lines;
  };
  const items = () => activeTab(view())?.items ?? [];
  const countLines = (some: Item[]) => some.reduce((sum, item) => sum + linesOf(item, drawnWidth).length, 0);
  const component: Component = {
    render: (width) => {
      drawnWidth = width;
      return items().flatMap((item) => linesOf(item, width));
    },
    invalidate: () => {
      made = new WeakMap();
    },
  };
  const scroll = new ScrollView(component, { follow: 'end', primary: true });
  let isAwaited = false;
  let answered: Item | undefined;

  /**
   * An answer that is longer than the screen is read from its beginning, because its best source stands there. One that came word by word
   * was read already.
   */
  function showAnswer(draw: () => void): void {
    const told = items().findLast(({ kind }) => kind === 'told');
    if (!isAwaited || !told || told === answered || activeTab(view())?.asking) return;
    isAwaited = false;
    answered = told;
    const at = items().indexOf(told);
    const after = items().slice(at + 1);
    const isStreamed = after.some((item) => item.kind === 'said' && item.markdown);
    if (isStreamed || !scroll.isFollowingEnd) return;
    const room = scroll.viewportHeight;
    if (countLines(items().slice(at)) <= room) return;
    scroll.updateLayout(countLines(items()), room, draw);
    scroll.scrollTo(countLines(items().slice(0, at)), { disableFollow: true });
  }
  return {
    ...component,
    scroll,
    showAnswer,
    /** Goes to the end; where something was sent, to its answer once it is there. */
    showNewest: (isSent = false) => {
      isAwaited ||= isSent;
      scroll.scrollToEnd();
    },
  };
}
