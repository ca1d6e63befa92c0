import { SylkError } from '../../base/errors.ts';
import { fieldText } from '../../base/field-text.ts';
import { type Priority, priorities } from './container.ts';

const kilobyte = 1024;

export const nameText = (given: string, field: string) =>
  fieldText(given, { field, required: true, maxCharacters: 255, line: true });
export const summaryText = (given: string) =>
  fieldText(given, { field: 'summary', required: true, maxBytes: 4 * kilobyte });
export const descriptionText = (given: string) =>
  fieldText(given, { field: 'description', maxBytes: 32 * kilobyte });
export const reasonText = (given: string, field: string) =>
  fieldText(given, { field, required: true, maxBytes: 4 * kilobyte });
export const contentText = (given: string) => fieldText(given, { field: 'content', maxBytes: 64 * kilobyte });

const maxTags = 50;

/** Lowercase, unique, sorted. */
export function tagList(given: string[]): string[] {
  const tags = [
    ...new Set(
      given.map((tag) => fieldText(tag, { field: 'tag', maxCharacters: 100, line: true }).toLowerCase()),
    ),
  ]
    .filter((tag) => tag !== '')
    .sort();
  if (tags.length > maxTags) {
    throw new SylkError('VALIDATION_ERROR', `${tags.length} tags; the limit is ${maxTags}.`, {
      hint: 'Keep the tags that you search by.',
    });
  }
  const odd = tags.find((tag) => tag.includes(',') || tag.startsWith('!'));
  if (odd !== undefined) {
    throw new SylkError('VALIDATION_ERROR', `Invalid tag ${JSON.stringify(odd)}.`, {
      hint: 'A tag has no comma and does not start with !.',
    });
  }
  return tags;
}

export const priorityRank = (priority: Priority): number => priorities.indexOf(priority) + 1;
export const priorityName = (rank: number): Priority => priorities[rank - 1] ?? 'MEDIUM';
