import { isStandardName, lastSegment } from './ids.ts';
import type { SkillProblem } from './skill.ts';

/** Says what is odd about a field, and on which line. */
export type Report = (
  severity: SkillProblem['severity'],
  code: string,
  line: number,
  message: string,
  fix: string,
) => void;

export function readDescription(value: unknown, line: number, report: Report): string | undefined {
  if (value === undefined || value === null || value === '') {
    report(
      'error',
      'no-description',
      line,
      'There is no description.',
      'Write `description: what it does and when to use it`.',
    );
    return undefined;
  }
  if (typeof value === 'object' && !Array.isArray(value)) {
    report(
      'error',
      'description',
      line,
      'The description is not text.',
      'Quote it: a colon inside makes YAML read it as keys.',
    );
    return undefined;
  }
  const text = (Array.isArray(value) ? value.map(String).join(' ') : String(value))
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  if (typeof value !== 'string')
    report(
      'warning',
      'description',
      line,
      'The description is not text; it was turned into text.',
      'Quote it.',
    );
  if (text === '') return readDescription('', line, report);
  if (text.length > 1024)
    report(
      'warning',
      'description-length',
      line,
      `The description has ${text.length} characters; the standard allows 1024.`,
      'Move detail into the body.',
    );
  return text;
}

export function readName(value: unknown, id: string, line: number, report: Report): string {
  const segment = lastSegment(id);
  const name = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (name === '') {
    report(
      'warning',
      'no-name',
      line,
      `There is no name; ${JSON.stringify(segment)} is used.`,
      `Write \`name: ${segment}\`.`,
    );
    return segment;
  }
  if (!isStandardName(name))
    report(
      'warning',
      'name',
      line,
      `The name ${JSON.stringify(name.slice(0, 80))} is outside the standard.`,
      'Use up to 64 of a-z, 0-9 and single hyphens.',
    );
  if (name !== segment)
    report(
      'warning',
      'name-differs',
      line,
      `The name ${JSON.stringify(name.slice(0, 80))} differs from its directory ${JSON.stringify(segment)}; the id follows the directory.`,
      'Rename one of the two.',
    );
  return name;
}

export function readMetadata(
  values: Record<string, unknown>,
  lineOf: (key: string) => number,
  report: Report,
) {
  const metadata: Record<string, string> = {};
  const given = values.metadata;
  if (given && typeof given === 'object' && !Array.isArray(given)) {
    let odd = false;
    for (const [key, value] of Object.entries(given)) {
      if (value === null || value === undefined) continue;
      odd ||= typeof value !== 'string';
      metadata[key] = typeof value === 'string' ? value : JSON.stringify(value);
    }
    if (odd)
      report(
        'note',
        'metadata',
        lineOf('metadata'),
        'Some metadata values are not text; they are kept as JSON.',
        'Quote them.',
      );
  } else if ('metadata' in values) {
    report(
      'warning',
      'metadata',
      lineOf('metadata'),
      'metadata is not a mapping; it is left out.',
      'Write keys and values below it, or remove it.',
    );
  }
  return { metadata, capabilities: wordsOf(values.requires_capabilities ?? metadata.requires_capabilities) };
}

/** A list, or words with blanks or commas between them. */
const wordsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : []).filter(
    Boolean,
  );
