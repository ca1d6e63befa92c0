import { messageOf, SylkError } from '../../base/errors.ts';
import { compileGlob } from '../../base/glob/index.ts';

const limits = { patterns: 20, characters: 512 };

/** An atom without paths has no boundary, which breaks the model. Everything else is invalid input. */
export function checkPatterns(given: string[]): string[] {
  if (given.length === 0) {
    throw new SylkError('INVARIANT_VIOLATION', 'An atom needs at least one path pattern.', {
      hint: 'Give paths such as ["src/checkout/**"].',
    });
  }
  if (given.length > limits.patterns)
    throw refusal(
      `${given.length} patterns; the limit is ${limits.patterns}`,
      'Use ** for whole folders, or create two atoms.',
    );
  return [...new Set(given.map(checkPattern))];
}

function checkPattern(given: string): string {
  const pattern = given.trim().replace(/^(?:\.\/)+/, '');
  const shown = JSON.stringify(pattern.slice(0, 80));
  if (pattern === '') throw refusal('A path pattern is empty', 'Remove it.');
  if (pattern.length > limits.characters)
    throw refusal(
      `${shown}… has ${pattern.length} characters; the limit is ${limits.characters}`,
      'Shorten it.',
    );
  if (/[\0-\x1f]/.test(pattern)) throw refusal(`${shown} contains a control character`, 'Remove it.');
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern))
    throw refusal(`${shown} is absolute`, 'Make it relative to the repository root.');
  if (pattern.split(/[\\/]/).includes('..'))
    throw refusal(`${shown} contains a .. segment`, 'Name the folder itself.');
  try {
    compileGlob(pattern);
  } catch (error) {
    throw refusal(`${shown} is not a valid glob (${messageOf(error)})`, 'Close every bracket and brace.');
  }
  return pattern;
}

const refusal = (message: string, hint: string) => new SylkError('VALIDATION_ERROR', `${message}.`, { hint });
