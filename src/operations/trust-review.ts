import { structuredPatch } from 'diff';
import { type ContentItem, digestOf, type TrustState } from '../base/content-item.ts';
import { SylkError } from '../base/errors.ts';
import { visibleLine, visibleText } from '../base/terminal-text.ts';

/** An item that can act or reach an agent, as a person reviews it. */
export interface Reviewed extends ContentItem {
  state: TrustState | 'local' | 'source';
  notes?: string[];
  /** Its content when it was trusted. */
  before?: string | undefined;
}

/** Digest of everything a person is shown: an answer applies to this content only. */
export const reviewDigest = (items: Reviewed[]): string =>
  digestOf(JSON.stringify(items.map(({ item, digest, text }) => [item, digest, digestOf(text)])));

export const isWaiting = ({ state }: Pick<Reviewed, 'state'>): boolean =>
  state === 'new' || state === 'changed';

/** The whole text with hidden characters made visible; for a changed text, the difference first. */
export function reviewText(items: Reviewed[]): string {
  const waiting = items.filter(isWaiting);
  const rest = items.filter((item) => !isWaiting(item));
  return [
    ...waiting.flatMap(reviewOne),
    ...(rest.length > 0 ? ['', `Trusted before and unchanged: ${rest.length}`] : []),
    ...rest.map(({ item }) => `  ${visibleLine(item)}`),
  ].join('\n');
}

function reviewOne({ item, text, state, before, digest, notes = [] }: Reviewed): string[] {
  return [
    '',
    `## ${visibleLine(item)}  (${state === 'changed' ? 'CHANGED since you trusted it' : 'new'})`,
    `digest ${digest}`,
    ...notes.map((note) => `WARNING ${visibleLine(note)}`),
    ...(state === 'changed' ? difference(before ?? '', text) : []),
    quoted(visibleText(text).split('\n')),
  ];
}

function difference(before: string, now: string): string[] {
  const { hunks } = structuredPatch('', '', `${before}\n`, `${now}\n`, '', '', { context: 2 });
  const lines = hunks.flatMap((hunk) => hunk.lines.map(visibleLine));
  return ['What changed:', quoted(lines), 'Full text:'];
}

/** Indented, so that no line of the text can pass as one of ours. */
const quoted = (lines: string[]): string => lines.map((line) => `  | ${line}`).join('\n');

/** An answer applies to what the person saw: changes made in between are asked about again. */
export function requireSeen(items: Reviewed[], digest: string | undefined): void {
  const now = reviewDigest(items);
  if (digest === now) return;
  throw new SylkError(
    'APPROVAL_REQUIRED',
    digest === undefined
      ? 'Trust needs a review first.'
      : 'The content changed during the review; nothing was trusted.',
    {
      hint: 'Run the command in a terminal: it shows everything and asks.',
      data: { digest: now, items: items.filter(isWaiting).map(({ item }) => visibleLine(item)) },
    },
  );
}
