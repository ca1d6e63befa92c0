import { SylkError } from '../../base/errors.ts';

/** `extraction/medical/diagnosis` → `extraction/medical`; a skill at the root has the collection ''. */
export const collectionOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));

export const lastSegment = (id: string): string => id.slice(id.lastIndexOf('/') + 1);

const referable = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;

/** Whether `/id` in a message can name it. Others load by `load_skill` only. */
export const isReferable = (id: string): boolean => referable.test(id);

/** A leading `/`, an id, then white space or the end: the only way a message names a skill. */
const reference = /^\/([a-z0-9-]+(?:\/[a-z0-9-]+)*)(?:\s|$)/;

export function parseReference(text: string): { id: string; rest: string } | undefined {
  const match = reference.exec(text);
  return match ? { id: match[1]!, rest: text.slice(match[0].length).trimStart() } : undefined;
}

/** The standard's rule for `name`. */
export const isStandardName = (name: string): boolean =>
  name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);

/** An id that came from outside, before it is joined to a path or an address. */
export function requireSkillId(id: string): string {
  const segments = id.split('/');
  const bad = segments.some((segment) => segment === '' || segment === '.' || segment === '..');
  if (bad || id.length > 512 || /[\x00-\x1f\x7f\\]/.test(id)) {
    throw new SylkError('VALIDATION_ERROR', `Not a skill id: ${JSON.stringify(id.slice(0, 120))}`, {
      hint: 'An id is a path such as extraction/email-extractor, without a leading slash; browse_skills lists them.',
    });
  }
  return id;
}

export const skillNotFound = (id: string, hint = 'browse_skills lists what there is.'): SylkError =>
  new SylkError('NOT_FOUND', `Skill '${id}' not found`, { hint, data: { skill_id: id } });

/** Commands of a conversation; a message that starts with one is never a skill. */
export const reservedCommands: ReadonlySet<string> = new Set(['session', 'task']);
