import { cutForms, formTrace } from './secret-forms.ts';
import { cutKeyBlocks, cutTokens, isTokenLike, longRun } from './secret-tokens.ts';
import { cutBySecretlint } from './secretlint.ts';

type Span = [start: number, end: number];

/**
 * The lines that could hold a secret, neighbours joined. Indexing passes whole repositories through here, and most
 * lines need no more than this look.
 */
function suspects(text: string): Span[] {
  const spans: Span[] = [];
  for (const trace of [formTrace, longRun]) {
    trace.lastIndex = 0;
    for (let found = trace.exec(text); found; found = trace.exec(text)) {
      if (trace === longRun && !isTokenLike(found[0])) continue;
      const end = text.indexOf('\n', found.index);
      spans.push([text.lastIndexOf('\n', found.index) + 1, end < 0 ? text.length : end]);
      if (end < 0) break;
      trace.lastIndex = end;
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

const hasToken = (text: string): boolean => (text.match(longRun) ?? []).some(isTokenLike);

function cut(text: string): string {
  const clean = cutForms(hasToken(text) ? cutTokens(text) : text);
  return hasToken(clean) ? cutBySecretlint(clean) : clean;
}

/**
 * One funnel for secrets: everything that is logged, remembered, indexed or exported as text passes here. What looks
 * like a credential becomes `[redacted:kind]`; everything else stays byte for byte.
 */
export function redact(given: string): string {
  const text = cutKeyBlocks(given);
  let clean = '';
  let done = 0;
  for (const [start, end] of suspects(text)) {
    clean += text.slice(done, start) + cut(text.slice(start, end));
    done = end;
  }
  return clean + text.slice(done);
}

export const containsSecret = (text: string): boolean => redact(text) !== text;

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
