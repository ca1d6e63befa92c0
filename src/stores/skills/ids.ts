import { SylkError } from '../../base/errors.ts';

/** `extraction/medical/diagnosis` → `extraction/medical`; a skill at the root has the collection ''. */
export const collectionOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));

export const lastSegment = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

/** Names a skill of the repository whose plain id belongs to the person or to the product. */
const repositoryPrefix = 'repo:';
export const inRepository = (id: string): string => `${repositoryPrefix}${id}`;
export const namesRepository = (id: string): boolean => id.startsWith(repositoryPrefix);
/** The id within its source. */
export const plainId = (id: string): string => (namesRepository(id) ? id.slice(repositoryPrefix.length) : id);

const referable = /^(?:repo:)?[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;

/** Whether `/id` in a message can name it. Others load through `load_skill` only. */
export const isReferable = (id: string): boolean => referable.test(id);

/** A leading `/`, an id, then whitespace or the end: the only way a message names a skill. */
const reference = /^\/((?:repo:)?[a-z0-9-]+(?:\/[a-z0-9-]+)*)(?:\s|$)/;

export function parseReference(text: string): { id: string; rest: string } | undefined {
  const [all = '', id] = reference.exec(text) ?? [];
  return id === undefined ? undefined : { id, rest: text.slice(all.length).trimStart() };
}

/** The standard's rule for `name`. */
export const isStandardName = (name: string): boolean =>
  name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);

/** Letters, digits and a few marks: an id is shown, logged and typed, and must be safe in a shell and a terminal. */
const segment = /^[\p{L}\p{N}_.+@][\p{L}\p{M}\p{N}_.+@ -]*$/u;

export const isSkillId = (id: string): boolean =>
  id.length <= 512 && id.split('/').every((part) => segment.test(part) && part !== '.' && part !== '..');

/** Checks an id from outside before it is joined to a path or a URL. */
export function requireSkillId(id: string): string {
  if (isSkillId(id)) return id;
  throw new SylkError('VALIDATION_ERROR', `Invalid skill id: ${JSON.stringify(id.slice(0, 120))}`, {
    hint: 'An id is a path such as extraction/email-extractor, without a leading slash. Run `sylk skills browse` to list them.',
  });
}

export const skillNotFound = (id: string, hint = 'Run `sylk skills browse` to list the skills.'): SylkError =>
  new SylkError('NOT_FOUND', `Skill '${id}' not found`, { hint, data: { skill_id: id } });

/** Commands of a conversation; a message that starts with one never names a skill. */
export const reservedCommands: ReadonlySet<string> = new Set(['session', 'task']);
