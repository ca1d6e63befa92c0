import { createHash } from 'node:crypto';

/** One thing of a repository that acts, such as a setting or a skill, with the text a person reads before trusting it. */
export interface ContentItem {
  /** File and key or folder, the same in every clone: `config.yaml embedding.endpoint_url`. */
  item: string;
  text: string;
  /** Over all that acts; the text may leave out what cannot be shown. */
  digest: string;
}

/** `changed`: another content was trusted under this name. `new`: nobody decided about it. */
export type TrustState = 'trusted' | 'changed' | 'new';

/** Against the digests that a person trusted, by item. */
export function stateOf(
  trusted: ReadonlyMap<string, string>,
  { item, digest }: Pick<ContentItem, 'item' | 'digest'>,
): TrustState {
  const known = trusted.get(item);
  if (known === undefined) return 'new';
  return known === digest ? 'trusted' : 'changed';
}

export const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export const contentItem = (item: string, value: unknown): ContentItem => {
  const text = canonicalText(value);
  return { item, text, digest: digestOf(text) };
};

/** Equal values have equal texts, whatever order their keys have and however the file is laid out. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(', ')}]`;
  if (value instanceof Date || value === null || typeof value !== 'object')
    return typeof value === 'string' ? JSON.stringify(value) : `${String(value)}`;
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{ ${entries.map(([key, inner]) => `${JSON.stringify(key)}: ${canonicalText(inner)}`).join(', ')} }`;
}
