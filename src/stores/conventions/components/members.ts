import type { PropDefinition } from './record.ts';

/** Splits at commas, semicolons and line ends outside of brackets and strings. */
export function splitMembers(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? '\n';
    if (quote) {
      if (character === quote) quote = '';
      continue;
    }
    if ('"\'`'.includes(character)) quote = character;
    else if ('{([<'.includes(character)) depth++;
    else if ('})]'.includes(character) || (character === '>' && text[at - 1] !== '=')) depth--;
    else if (depth <= 0 && ',;\n'.includes(character)) {
      const part = text.slice(start, at).trim();
      // A union that continues on the next line belongs to the same member.
      if (part.startsWith('|') && parts.length > 0) parts[parts.length - 1] += ` ${part}`;
      else if (part) parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}

/** The text between a bracket and its match. */
export function insideOf(text: string, open: number): string {
  const pairs: Record<string, string> = { '{': '}', '(': ')', '[': ']', '<': '>' };
  const opener = text.charAt(open);
  const closer = pairs[opener] ?? '';
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === opener) depth++;
    else if (text[at] === closer && !(closer === '>' && text[at - 1] === '=') && --depth === 0)
      return text.slice(open + 1, at);
  }
  return text.slice(open + 1);
}

/** Members of an interface or an object type. */
export function membersOf(body: string): PropDefinition[] {
  const clean = body.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  return splitMembers(clean).flatMap((part) => {
    const [, name, optional, type = ''] =
      /^(?:readonly\s+)?["']?([\w$-]+)["']?(\?)?\s*:\s*([\s\S]+)$/.exec(part) ??
      /^(?:readonly\s+)?([\w$]+)(\?)?(\([\s\S]*)$/.exec(part) ??
      [];
    if (!name) return [];
    return [{ name, type: type.replace(/\s+/g, ' ').trim(), required: optional === undefined }];
  });
}

/** Names and defaults of a destructured parameter: `{ title, size = 'md', ...rest }`. */
export function destructured(pattern: string): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const part of splitMembers(pattern)) {
    const [, name, value] = /^([\w$]+)(?:\s*:\s*[\w$]+)?(?:\s*=\s*([\s\S]+))?$/.exec(part) ?? [];
    if (name) found.set(name, value?.trim());
  }
  return found;
}

/** Words of a union of strings: `'danger' | 'warning'` → danger, warning. */
export const literalsOf = (type: string): string[] =>
  /^\|?\s*(["'][\w -]+["']\s*\|?\s*)+$/.test(type)
    ? [...type.matchAll(/["']([\w -]+)["']/g)].flatMap(([, word]) => word ?? [])
    : [];
