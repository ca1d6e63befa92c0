import { z } from 'zod';
import { parseJson } from './json.ts';

/** Clients send lists as arrays, as JSON text, or as words with commas between them: all three mean the list. */
export const looseList = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((given) => {
    if (typeof given !== 'string') return given;
    const text = given.trim();
    if (text.startsWith('[')) return parseJson(text) ?? given;
    return text === '' ? [] : text.split(',').map((part) => part.trim());
  }, z.array(item));

/** `true`, `"true"`, `"1"`, `"yes"` and their opposites. */
export const looseBoolean = z.preprocess((given) => {
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off', ''].includes(word)) return false;
  return given;
}, z.boolean());
