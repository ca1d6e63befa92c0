import { splitWords } from '../../base/text/index.ts';

/** One message that went somewhere. The text itself is not kept, only its shape: a subject may be a secret. */
export interface Routing {
  pattern: string;
  target: string;
  intent: string;
  verb: string;
  method: string;
  confidence: number;
  outcome: 'answered' | 'nothing' | 'needs_agents' | 'failed';
  error: string;
  session_id: string;
  milliseconds: number;
}

/** The shape of a message: its words without what it is about, such as `where is the *`. */
export function patternOf(text: string, subject: string): string {
  const about = new Set(splitWords(subject));
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const shape = words
    .slice(0, 12)
    .map((word) => (about.has(word) || /\d/.test(word) || word.length > 20 ? '*' : word));
  return shape
    .join(' ')
    .replace(/\*(?: \*)+/g, '*')
    .slice(0, 80);
}
