import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

/** Below this many rows a plain list is simpler for everybody, the browser's own search included. */
const few = 80;

interface Rows<Item> {
  items: Item[];
  label: string;
  keyOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
  /** Rows that are about to be needed, where there are more than were loaded. */
  onEnd?: () => void;
  total?: number;
  className?: string;
}

/** A list of any length: only the rows on the screen exist. Each row says its place, so that readers know the length. */
export function VirtualList<Item>(props: Rows<Item>) {
  if (props.items.length <= few && (props.total ?? 0) <= props.items.length)
    return (
      <ul className={props.className ?? 'rows'} aria-label={props.label}>
        {props.items.map((item) => (
          <li key={props.keyOf(item)}>{props.children(item)}</li>
        ))}
      </ul>
    );
  return <LongList {...props} />;
}

function LongList<Item>({ items, label, keyOf, children, onEnd, total, className = 'rows' }: Rows<Item>) {
  const holder = useRef<HTMLElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => holder.current,
    estimateSize: () => 52,
    overscan: 10,
    getItemKey: (at) => keyOf(items[at]!),
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= items.length - 20) onEnd?.();
  }, [last, items.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={holder} className="virtual" aria-label={label} tabIndex={0}>
      <ul className={className} style={{ height: `${rows.getTotalSize()}px` }}>
        {shown.map((row) => (
          <li
            key={row.key}
            ref={rows.measureElement}
            data-index={row.index}
            aria-setsize={total ?? items.length}
            aria-posinset={row.index + 1}
            style={{ transform: `translateY(${row.start}px)` }}
          >
            {children(items[row.index]!)}
          </li>
        ))}
      </ul>
    </section>
  );
}
