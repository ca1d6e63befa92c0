import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { messageOf } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { type Role, roleHead } from './role.ts';

export interface RoleText {
  head: Record<string, unknown>;
  prompt: string;
}

/** A file with `---`, YAML, `---` and text. Undefined where it has no such beginning; throws where the YAML is none. */
export function splitRole(text: string): RoleText | undefined {
  const [, yaml, body = ''] = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n([\s\S]*))?$/.exec(text) ?? [];
  if (yaml === undefined) return undefined;
  // An alias can make a small file a huge one.
  return { head: objectOf(parse(yaml, { maxAliasCount: 0 })), prompt: body.trim() };
}

/** A role by what the files say, each on top of the one before it: what a later one leaves out stays. */
export function joinRole(
  texts: Array<RoleText | undefined>,
): { role: Role; problems: string[] } | { problems: string[] } {
  const [first, ...more] = texts.filter((text) => text !== undefined);
  if (!first) return { problems: ['it begins with no `---`'] };
  const joined = more.reduce(
    (role, text) => ({
      head: {
        ...role.head,
        ...text.head,
        tools: { ...objectOf(role.head['tools']), ...objectOf(text.head['tools']) },
        memory: { ...objectOf(role.head['memory']), ...objectOf(text.head['memory']) },
      },
      prompt: text.prompt || role.prompt,
    }),
    first,
  );
  const parsed = roleHead.safeParse(joined.head);
  if (!parsed.success) return { problems: z.prettifyError(parsed.error).split('\n') };
  return { role: { ...parsed.data, prompt: joined.prompt }, problems: [] };
}

/** What a file says, or why it can't be read. */
export function tryRead(text: string | undefined): { text?: RoleText | undefined; problem?: string } {
  if (text === undefined) return {};
  try {
    const read = splitRole(text);
    return read ? { text: read } : { problem: 'it begins with no `---`' };
  } catch (error) {
    return { problem: messageOf(error).split('\n', 1)[0] ?? '' };
  }
}

export const writeRole = ({ prompt, ...head }: Role): string =>
  `---\n${stringify(head, { lineWidth: 0 })}---\n\n${prompt.trim()}\n`;
