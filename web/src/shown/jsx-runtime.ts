import type { ElementType, Key } from 'react';
import { jsx as element, jsxs as elements, Fragment } from 'react/jsx-runtime';
import { showText } from './text.ts';

/**
 * The dashboard's own JSX runtime (see vite.config.ts): whatever a component shows, what nobody would see in it is
 * written out. File names, commits, authors and entries come from strangers, and no component has to think of it.
 */
type Props = { children?: unknown; title?: unknown; 'aria-label'?: unknown };

const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return showText(value);
  return Array.isArray(value) ? value.map(shown) : value;
};

const withShown = (type: ElementType, props: Props): Props =>
  typeof type === 'string' || type === Fragment
    ? Object.fromEntries(
        Object.entries(props).map(([name, value]) => [
          name,
          name === 'children' || name === 'title' || name === 'aria-label' ? shown(value) : value,
        ]),
      )
    : props;

export const jsx = (type: ElementType, props: Props, key?: Key) => element(type, withShown(type, props), key);
export const jsxs = (type: ElementType, props: Props, key?: Key) =>
  elements(type, withShown(type, props), key);
export { Fragment };
