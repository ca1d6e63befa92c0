import { SylkError } from './errors.ts';
import { redact } from './redact.ts';

export interface TextBounds {
  field: string;
  required?: boolean;
  maxCharacters?: number;
  maxBytes?: number;
  /** One line: runs of white space become one blank. */
  line?: boolean;
}

/** What somebody wrote into a field: trimmed, without secrets, within its bounds. */
export function fieldText(
  given: string,
  { field, required, maxCharacters, maxBytes, line }: TextBounds,
): string {
  const clean = redact(given).trim();
  const text = line ? clean.replace(/\s+/g, ' ') : clean;
  const refuse = (why: string, hint: string): never => {
    throw new SylkError('VALIDATION_ERROR', `${field} ${why}.`, { hint });
  };
  if (required && text === '') refuse('is empty', `Give some text in ${field}.`);
  if (text.includes('\0')) refuse('contains a NUL character', 'Remove it.');
  if (maxCharacters !== undefined && text.length > maxCharacters && [...text].length > maxCharacters)
    refuse(`has ${[...text].length} characters; the limit is ${maxCharacters}`, 'Shorten it.');
  if (maxBytes !== undefined && Buffer.byteLength(text) > maxBytes)
    refuse(
      `has ${Buffer.byteLength(text)} bytes; the limit is ${maxBytes} (${maxBytes / 1024} KB)`,
      'Shorten it, or split it up.',
    );
  return text;
}
