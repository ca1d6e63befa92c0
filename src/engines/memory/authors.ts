import type { Author, Entry } from '../../stores/chronicle/index.ts';

/** A name that somebody chose for themselves, so that it can't look like the text around it. */
const plainName = (name: string): string =>
  name
    .replace(/[^\p{L}\p{N}._@/ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 40);

/** `person ada`, `agent claude-code`, `unknown author`. */
export const authorText = ({ kind, name }: Author): string =>
  kind === 'unknown' ? 'unknown author' : `${kind} ${plainName(name)}`.trim();

export function entryAuthorText({ source, source_kind, metadata }: Entry): string {
  if (source_kind === 'system') return 'sylk';
  const author = authorText({ kind: source_kind === 'person' ? 'person' : 'agent', name: source });
  const { client } = metadata;
  return typeof client === 'string' ? `${author} via ${plainName(client)}` : author;
}
