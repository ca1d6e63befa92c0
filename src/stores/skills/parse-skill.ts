import { readFrontMatter } from './front-matter.ts';
import { hiddenCharacters } from './hidden-text.ts';
import { isReferable, isStandardName, lastSegment } from './ids.ts';
import type { SkillDocument, SkillProblem, SkillScope } from './skill.ts';

export interface ParsedSkill {
  document?: SkillDocument;
  problems: SkillProblem[];
}

export interface SkillFile {
  id: string;
  /** As shown in problems. */
  file: string;
  scope: SkillScope;
}

type Report = (
  severity: SkillProblem['severity'],
  code: string,
  line: number,
  message: string,
  fix: string,
) => void;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const known = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
  'requires_capabilities',
]);

/** Text of a SKILL.md → a skill, or the reason why not; everything odd on the way is reported with its line. */
export function parseSkill(content: Uint8Array | string, { id, file, scope }: SkillFile): ParsedSkill {
  const problems: SkillProblem[] = [];
  const report: Report = (severity, code, line, message, fix) =>
    problems.push({ severity, code, source_name: '', id, file, line, message, fix });
  const text = plainText(content, report);
  const split = text === undefined ? undefined : splitFrontMatter(text, report);
  if (!split) return { problems };
  const front = readFrontMatter(split.front, 2);
  if (!front) {
    report(
      'error',
      'yaml',
      2,
      'The front matter has no keys.',
      'Write `name: …` and `description: …`, a line each.',
    );
    return { problems };
  }
  for (const { code, line, message, fix } of front.forgiven) report('warning', code, line, message, fix);
  const { values, lineOf } = front;
  const description = readDescription(values.description, lineOf('description'), report);
  if (description === undefined) return { problems };
  const name = readName(values.name, id, lineOf('name'), report);
  if (!isReferable(id))
    report(
      'warning',
      'not-referable',
      1,
      `The id ${JSON.stringify(id)} cannot be named with a slash in a message; load_skill takes it.`,
      'Use a-z, 0-9 and hyphens in the names of its directories.',
    );
  const { metadata, capabilities } = readMetadata(values, lineOf, report);
  const extensions = Object.fromEntries(
    Object.entries(values).filter(
      ([key]) => !['name', 'description', 'metadata', 'requires_capabilities'].includes(key),
    ),
  );
  checkOptional(values, lineOf, report);
  reportHidden(text!, report);
  return {
    document: {
      descriptor: {
        id,
        name,
        description,
        scope,
        requires_capabilities: capabilities,
        metadata,
        source_name: '',
      },
      body: split.body,
      extensions,
    },
    problems,
  };
}

function plainText(content: Uint8Array | string, report: Report): string | undefined {
  let text: string;
  if (typeof content === 'string') text = content;
  else {
    if ((content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff)) {
      report('error', 'encoding', 1, 'The file is UTF-16.', 'Save it as UTF-8.');
      return undefined;
    }
    text = decoder.decode(content);
    if (text.includes('\ufffd')) {
      const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length;
      report(
        'warning',
        'encoding',
        line,
        'Some bytes are not UTF-8; they are shown as \ufffd.',
        'Save it as UTF-8.',
      );
    }
  }
  if (text.startsWith('\ufeff')) {
    report(
      'warning',
      'byte-order-mark',
      1,
      'The file starts with a byte order mark; other clients do not load it.',
      'Save it as UTF-8 without BOM.',
    );
    text = text.slice(1);
  }
  if (text.includes('\r')) {
    report('note', 'line-ends', 1, 'Lines end in CR LF.', 'Save it with LF line ends.');
    text = text.replace(/\r\n?/g, '\n');
  }
  return text;
}

function splitFrontMatter(text: string, report: Report): { front: string; body: string } | undefined {
  if (!/^---[ \t]*(?:\n|$)/.test(text)) {
    const later = /^---[ \t]*$/m.exec(text.slice(0, 2000));
    const named = later && /^(?:name|description)[ \t]*:/m.test(text.slice(later.index, later.index + 2000));
    if (later && named) {
      const line = text.slice(0, later.index).split('\n').length;
      report(
        'error',
        'text-before',
        line,
        'There is text before the opening `---`.',
        'Make `---` the first line of the file.',
      );
    } else {
      report(
        'error',
        'no-front-matter',
        1,
        'There is no front matter.',
        'Start the file with `---`, `name: …`, `description: …`, `---`.',
      );
    }
    return undefined;
  }
  const start = text.indexOf('\n') + 1;
  const end = /^---[ \t]*$/m.exec(text.slice(start));
  if (start === 0 || !end) {
    report(
      'error',
      'unclosed',
      1,
      'The front matter is never closed.',
      'Put a line `---` after its last key.',
    );
    return undefined;
  }
  const bodyStart = start + end.index + end[0].length + 1;
  return {
    front: text.slice(start, start + end.index).replace(/\n$/, ''),
    body: text.slice(bodyStart).trim(),
  };
}

function readDescription(value: unknown, line: number, report: Report): string | undefined {
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

function readName(value: unknown, id: string, line: number, report: Report): string {
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

function readMetadata(values: Record<string, unknown>, lineOf: (key: string) => number, report: Report) {
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

function checkOptional(
  values: Record<string, unknown>,
  lineOf: (key: string) => number,
  report: Report,
): void {
  const tools = values['allowed-tools'];
  if (Array.isArray(tools) || (typeof tools === 'string' && tools.includes(',')))
    report(
      'note',
      'allowed-tools',
      lineOf('allowed-tools'),
      'allowed-tools is not in the standard form; it was understood.',
      'Write the tools in one line, separated by blanks.',
    );
  if (typeof values.compatibility === 'string' && values.compatibility.length > 500)
    report(
      'warning',
      'compatibility',
      lineOf('compatibility'),
      'compatibility is longer than 500 characters.',
      'Shorten it.',
    );
  const unknown = Object.keys(values).filter((key) => !known.has(key));
  if (unknown.length > 0)
    report(
      'note',
      'unknown-keys',
      lineOf(unknown[0]!),
      `Keys outside the standard: ${unknown.slice(0, 12).join(', ')}.`,
      'Put them below `metadata:`.',
    );
}

function reportHidden(text: string, report: Report): void {
  for (const { kind, line, count } of hiddenCharacters(text))
    report(
      'warning',
      'hidden-text',
      line,
      `${count} hidden ${kind}, the first on line ${line}; what a model reads is not what you see.`,
      'Remove them, or look closely before you trust the skill.',
    );
  const comment = /<!--[\s\S]*?(?:-->|$)/.exec(text);
  if (comment)
    report(
      'note',
      'html-comment',
      text.slice(0, comment.index).split('\n').length,
      'An HTML comment: models read it, rendered pages do not show it.',
      'Read it before you trust the skill.',
    );
}

/** A list, or words with blanks or commas between them. */
export const wordsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : []).filter(
    Boolean,
  );
