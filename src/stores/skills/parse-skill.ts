import { readFrontMatter } from './front-matter.ts';
import { hiddenCharacters } from './hidden-text.ts';
import { isReferable } from './ids.ts';
import type { SkillDocument, SkillProblem, SkillScope } from './skill.ts';
import { type Report, readDescription, readMetadata, readName } from './skill-fields.ts';

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
