import { randomBytes, randomUUID } from 'node:crypto';
import { SylkError } from './errors.ts';

/** `ent_01h…`: a prefix that names the kind, then a time-ordered random part, so that ids sort by creation. */
export function newId(prefix: string, now = Date.now()): string {
  const time = now.toString(36).padStart(9, '0');
  const random = randomBytes(10).toString('hex');
  return `${prefix}_${time}${random}`;
}

export const newUuid = (): string => randomUUID();

const dashless = /^[0-9a-f]{32}$/;
const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Accepts a UUID with or without dashes, in any case; answers it dashed and in lower case. */
export function parseUuid(text: string, field = 'id'): string {
  const lower = text.trim().toLowerCase();
  if (dashed.test(lower)) return lower;
  if (dashless.test(lower)) return lower.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  throw new SylkError('VALIDATION_ERROR', `${field} is not a UUID: ${JSON.stringify(text)}`, {
    hint: 'Give 32 hexadecimal digits, with or without dashes.',
  });
}
