/** The structured parts of a commit message: the conventional subject, trailers and the `tags:` line. */
const subjectPattern = /^([A-Za-z][A-Za-z0-9-]{0,30})(?:\(([^()\r\n]{1,80})\))?(!)?:[ \t]+\S/;
const breakingFooter = /^BREAKING[ -]CHANGE:/m;

export function parseConventional(message: string) {
  const [, type, scope, mark] = subjectPattern.exec(message) ?? [];
  if (type === undefined) return undefined;
  const breaking = mark === '!' || (message.includes('BREAKING') && breakingFooter.test(message));
  return { type: type.toLowerCase(), scope: scope?.trim() || undefined, breaking };
}

export interface TagOperation {
  op: 'add' | 'remove';
  tag: string;
}

const tagsLine = /^tags:(.*)$/gim;
const maxTagLength = 100;

/** The last `tags:` line wins; it starts its line, in any case, and trailers may follow it. */
export function parseTagLine(message: string): TagOperation[] {
  let line: string | undefined;
  for (const found of message.matchAll(tagsLine)) line = found[1];
  if (line === undefined) return [];
  const operations: TagOperation[] = [];
  for (const part of line.split(',')) {
    const written = part.trim().toLowerCase();
    const sign = written[0] === '+' || written[0] === '-' ? written[0] : '';
    const tag = written.slice(sign.length).trim().slice(0, maxTagLength);
    if (tag !== '') operations.push({ op: sign === '-' ? 'remove' : 'add', tag });
  }
  return operations;
}

/** Replays operations over a set of tags. Removing a missing tag is a no-op. */
export function applyTagOperations(tags: Set<string>, operations: Iterable<TagOperation>): Set<string> {
  for (const { op, tag } of operations) {
    if (op === 'add') tags.add(tag);
    else tags.delete(tag);
  }
  return tags;
}

const trailer = /^([A-Za-z][A-Za-z0-9-]*): (.+)$/;

/** The last paragraph, if every line of it is a trailer or continues one. */
export function parseTrailers(message: string): Array<{ key: string; value: string }> {
  const paragraphs = message.trimEnd().split(/\n[ \t]*\n/);
  if (paragraphs.length < 2) return [];
  const trailers: Array<{ key: string; value: string }> = [];
  for (const line of paragraphs.at(-1)?.split('\n') ?? []) {
    const [, key, value = ''] = trailer.exec(line.trimEnd()) ?? [];
    const last = trailers.at(-1);
    if (key) trailers.push({ key, value: value.trim() });
    else if (last && /^[ \t]/.test(line)) last.value += ` ${line.trim()}`;
    else return [];
  }
  return trailers;
}
