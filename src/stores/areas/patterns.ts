import { messageOf, SylkError } from '../../base/errors.ts';
import { compileGlob } from '../../base/glob/index.ts';

const limits = { patterns: 20, characters: 512 };

/** An atom without paths has no boundary: that breaks the model. Everything else is bad input. */
export function checkPatterns(given: string[]): string[] {
  if (given.length === 0) {
    throw new SylkError('INVARIANT_VIOLATION', 'An atom needs at least one path pattern.', {
      hint: 'Give paths such as ["src/checkout/**"].',
    });
  }
  if (given.length > limits.patterns)
    throw refusal(
      `${given.length} patterns; ${limits.patterns} is the limit`,
      'Use ** for whole folders, or make two atoms.',
    );
  return [...new Set(given.map(checkPattern))];
}

function checkPattern(given: string): string {
  const pattern = given.trim().replace(/^(?:\.\/)+/, '');
  const shown = JSON.stringify(pattern.slice(0, 80));
  if (pattern === '') throw refusal('A path pattern is empty', 'Leave it out.');
  if (pattern.length > limits.characters)
    throw refusal(
      `${shown}… has ${pattern.length} characters; ${limits.characters} is the limit`,
      'Shorten it.',
    );
  if (/[\0-\x1f]/.test(pattern)) throw refusal(`${shown} contains a control character`, 'Remove it.');
  if (pattern.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pattern))
    throw refusal(`${shown} is absolute`, 'Give it relative to the root of the repository.');
  if (pattern.split(/[\\/]/).includes('..'))
    throw refusal(`${shown} contains a .. segment`, 'Name the folder itself.');
  try {
    compileGlob(pattern);
  } catch (error) {
    throw refusal(`${shown} is no valid glob (${messageOf(error)})`, 'Close every bracket and brace.');
  }
  return pattern;
}

const refusal = (message: string, hint: string) => new SylkError('VALIDATION_ERROR', `${message}.`, { hint });
