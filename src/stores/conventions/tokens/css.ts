import { lineOf } from '../places.ts';
import { makeToken } from './classify.ts';
import type { ComponentPattern, DesignToken } from './record.ts';

interface Rule {
  selector: string;
  /** Selectors and at-rules around it. */
  around: string[];
  body: string;
  start: number;
}

/** Custom properties, SCSS and Less variables, and Tailwind's `@theme` block, with their theme. */
export function cssTokens(text: string, file: string): DesignToken[] {
  const clean = withoutComments(text);
  const found: DesignToken[] = [];
  for (const rule of rulesOf(clean)) {
    const inTheme = [...rule.around, rule.selector].some((part) => /^@theme\b/.test(part));
    for (const match of rule.body.matchAll(/(?<![\w-])--([\w-]+)\s*:\s*([^;{}]+?)\s*(?:;|$)/g)) {
      const [, name = '', written = ''] = match;
      const value = written.replace(/\s+/g, ' ').replace(/\s*!important$/, '');
      if (value.trim() === '' || value === 'initial') continue;
      found.push(
        makeToken({
          name,
          value,
          theme: themeOf(rule),
          reference: inTheme ? tailwindUse(name) : `var(--${name})`,
          file,
          line: lineOf(text, rule.start + match.index),
        }),
      );
    }
  }
  if (!file.endsWith('.css')) {
    for (const match of clean.matchAll(
      /^[ \t]*([$@])([a-zA-Z][\w-]*)\s*:\s*([^;{}()]+(?:\([^)]*\))?[^;{}]*?)\s*(?:!default\s*)?;/gm,
    )) {
      const [, sigil, name = '', value = ''] = match;
      if (/^(media|import|include|extend|use|forward|supports|keyframes)$/.test(name)) continue;
      found.push(
        makeToken({
          name,
          value: value.replace(/!(default|global)/g, '').trim(),
          reference: `${sigil}${name}`,
          file,
          line: lineOf(text, match.index),
        }),
      );
    }
  }
  return found;
}

/** In a `@theme` block the name defines the classes: `--color-primary` → `bg-primary`, `text-primary`. */
function tailwindUse(name: string): string {
  const [group = '', ...rest] = name.split('-');
  const tail = rest.join('-');
  const classes: Record<string, string> = {
    color: `bg-${tail}, text-${tail}`,
    spacing: `p-${tail}, m-${tail}`,
    font: `font-${tail}`,
    text: `text-${tail}`,
    radius: `rounded-${tail}`,
    shadow: `shadow-${tail}`,
    leading: `leading-${tail}`,
  };
  const use = tail && classes[group];
  return use ? `${use}; var(--${name})` : `var(--${name})`;
}

function themeOf({ selector, around }: Rule): string {
  for (const part of [selector, ...around]) {
    const media = /prefers-color-scheme:\s*(\w+)/.exec(part)?.[1];
    if (media) return media === 'light' ? '' : media;
    const data = /\[data-(?:theme|mode|color-scheme)\s*=\s*["']?([\w-]+)/.exec(part)?.[1];
    if (data) return data === 'light' || data === 'default' ? '' : data;
    const scheme = /\.(?:theme-)?(dark|[\w-]*-dark|high-contrast)\b/.exec(part)?.[1];
    if (scheme) return scheme;
  }
  return '';
}

/** Rules that use several tokens: how the design system combines them. */
export function cssPatterns(
  text: string,
  file: string,
  known: (name: string) => string | undefined,
): ComponentPattern[] {
  const clean = withoutComments(text);
  return rulesOf(clean).flatMap((rule) => {
    const name = /^\.([a-zA-Z][\w-]*)$/.exec(rule.selector.trim())?.[1];
    // A rule that defines values is a theme, not a component.
    if (!name || /(?<![\w-])--[\w-]+\s*:/.test(rule.body)) return [];
    const tokens = [
      ...new Set(
        [...rule.body.matchAll(/var\(\s*--([\w-]+)/g)].flatMap(([, used = '']) => known(used) ?? []),
      ),
    ];
    if (tokens.length < 2) return [];
    const example = `.${name} {${rule.body.replace(/\s+/g, ' ').slice(0, 200)}}`;
    return [{ name, description: `${file}:${lineOf(text, rule.start)}`, tokens, example }];
  });
}

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '));

/** Blocks with their own declarations; nested blocks are separate rules. */
function rulesOf(text: string): Rule[] {
  const rules: Rule[] = [];
  const stack: Array<{ selector: string; start: number; own: string }> = [];
  let since = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{') {
      const before = text.slice(since, at);
      const selector = before.slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('}')) + 1).trim();
      const parent = stack.at(-1);
      if (parent) parent.own += text.slice(since, at - selector.length);
      stack.push({ selector, start: at + 1, own: '' });
      since = at + 1;
    } else if (character === '}') {
      const open = stack.pop();
      if (open) {
        open.own += text.slice(since, at);
        rules.push({
          selector: open.selector,
          around: stack.map((outer) => outer.selector),
          body: open.own,
          start: open.start,
        });
      }
      since = at + 1;
    }
  }
  return rules;
}
