import { cutForms, nextForm } from './secret-forms.ts';
import { cutNeighbours } from './secret-neighbours.ts';
import { cutKeyBlocks, cutTokens, nextTokenLike } from './secret-tokens.ts';
import type { Mark } from './secret-value.ts';
import { cutBySecretlint } from './secretlint.ts';

type Span = [start: number, end: number];

/**
 * The lines that could hold a secret, neighbours joined. Indexing passes whole repositories through here, and most
 * lines need no more than this look.
 */
function suspects(text: string): Span[] {
  const spans: Span[] = [];
  for (const next of [nextForm, nextTokenLike]) {
    for (let at = next(text); at >= 0; ) {
      const end = text.indexOf('\n', at);
      spans.push([at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1, end < 0 ? text.length : end]);
      at = end < 0 ? -1 : next(text, end + 1);
    }
  }
  const joined: Span[] = [];
  for (const [start, end] of spans.sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/**
 * In `\nghp_…` and `%0Aghp_…` the escape's last letter would hide where a token begins. While patterns look, it is
 * a sign that belongs to no word.
 */
const escapes = /(?<=\\)[nrtbfv](?=\w)|(?<=%[\da-f])[\da-f](?=\w)/gi;
const setApart = (text: string): string =>
  text.replace(escapes, (letter) => String.fromCharCode(0xe000 + letter.charCodeAt(0)));
const putBack = (text: string): string =>
  text.replace(/[\ue030-\ue07a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000));

function cut(text: string, mark: Mark): string {
  if (!/[\\%]/.test(text) || /[\ue030-\ue07a]/.test(text)) return cutPlain(text, mark);
  return putBack(cutPlain(setApart(text), mark));
}

function cutPlain(text: string, mark: Mark): string {
  const withoutTokens = cutTokens(text, mark);
  const clean = nextForm(withoutTokens) < 0 ? withoutTokens : cutForms(withoutTokens, mark);
  return cutNeighbours(nextTokenLike(clean) < 0 ? clean : cutBySecretlint(clean, mark), mark);
}

/**
 * One funnel for secrets: everything that is logged, remembered, indexed or exported as text passes here. What looks
 * like a credential becomes `[redacted:kind]`; everything else stays byte for byte.
 */
export const redact = (text: string): string => cutAll(text, (kind) => `[redacted:${kind}]`);

/** The same for text whose places are kept: a secret becomes as many `x`, its line breaks stay. */
export const mask = (text: string): string => cutAll(text, (_kind, secret) => secret.replace(/[^\n]/g, 'x'));

/** Between lines that are looked at together and are no neighbours. No pattern reaches over it. */
const gap = '\n\ue000\n';

/** All parts at once, because every pattern costs something to start; one by one if a text has the gap's own sign. */
function cutParts(parts: string[], mark: Mark): string[] {
  const clean = parts.some((part) => part.includes('\ue000')) ? [] : cut(parts.join(gap), mark).split(gap);
  return clean.length === parts.length ? clean : parts.map((part) => cut(part, mark));
}

function cutAll(given: string, mark: Mark): string {
  const text = cutKeyBlocks(given, mark);
  const spans = suspects(text);
  if (spans.length === 0) return text;
  const parts = cutParts(
    spans.map(([start, end]) => text.slice(start, end)),
    mark,
  );
  let clean = '';
  let done = 0;
  spans.forEach(([start, end], at) => {
    clean += text.slice(done, start) + parts[at];
    done = end;
  });
  return clean + text.slice(done);
}

export const containsSecret = (text: string): boolean => redact(text) !== text;

/** What a search says when it was given a secret, or found a place where one stood. */
export function redactionNotes(texts: Array<string | undefined>): string[] {
  const touched = texts.some(
    (text) => text !== undefined && (text.includes('[redacted:') || containsSecret(text)),
  );
  return touched ? ['secrets are redacted before anything is stored: no search finds them'] : [];
}

/** Redacts every string inside a value that can be written as JSON, names of fields among them. */
export function redactValue<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactValue) as T;
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [redact(key), redactValue(inner)]),
    ) as T;
  }
  return value;
}
