import picomatch from 'picomatch';
import { SylkError } from '../../base/errors.ts';

const limits = { patterns: 20, characters: 512, wildcardsInSegment: 4, globstars: 6, alternatives: 1024 };

/**
 * `*` stays within a directory, `**` crosses them, dot files count. Negation and extended globs are off: a pattern
 * says which files an area owns, and it must be cheap to evaluate whoever wrote it.
 */
const options: picomatch.PicomatchOptions = {
  dot: true,
  nonegate: true,
  noextglob: true,
  strictBrackets: true,
};

export type PathTest = (path: string) => boolean;

export function compilePattern(pattern: string): PathTest {
  const expression = picomatch.makeRe(pattern, options);
  return (path) => path === pattern || expression.test(path);
}

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
  refuseCostly(pattern, shown);
  try {
    picomatch.makeRe(pattern, options);
  } catch (error) {
    throw refusal(
      `${shown} is no valid glob (${(error as Error).message})`,
      'Close every bracket and brace.',
    );
  }
  return pattern;
}

/** Backtracking grows with the wildcards of one segment and with the ways to choose among braces. */
function refuseCostly(pattern: string, shown: string): void {
  const globstars = pattern.split('/').filter((segment) => segment === '**').length;
  const densest = Math.max(
    ...pattern
      .split('/')
      .filter((segment) => segment !== '**')
      .map((segment) => segment.match(/\*/g)?.length ?? 0),
  );
  let ways = 1;
  for (const group of pattern.match(/\{[^{}]*\}/g) ?? []) ways *= group.split(',').length;
  const depth = pattern.match(/\{[^{}]*\{[^{}]*\{/) ? Number.POSITIVE_INFINITY : ways;
  if (globstars > limits.globstars || densest > limits.wildcardsInSegment || depth > limits.alternatives)
    throw refusal(
      `${shown} is too costly to match`,
      `At most ${limits.wildcardsInSegment} wildcards in a segment, ${limits.globstars} of **, ${limits.alternatives} alternatives.`,
    );
}

const refusal = (message: string, hint: string) => new SylkError('VALIDATION_ERROR', `${message}.`, { hint });
