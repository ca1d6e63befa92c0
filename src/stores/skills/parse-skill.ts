import { readFrontMatter } from './front-matter.ts';
import { hiddenCharacters } from './hidden-text.ts';
import { isReferable, isStandardName, lastSegment } from './ids.ts';
import { type ProblemKey, problemAt } from './problems.ts';
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

/** Reports what is odd, and on which line. */
type Report = (key: ProblemKey, line: number, values?: Record<string, string | number>) => void;
type LineOf = (key: string) => number;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const ownKeys = ['name', 'description', 'metadata', 'requires_capabilities'];
const knownKeys = new Set([...ownKeys, 'license', 'compatibility', 'allowed-tools']);

/** Text of a SKILL.md → a skill, or the reason why not; everything odd is reported with its line. */
export function parseSkill(content: Uint8Array | string, { id, file, scope }: SkillFile): ParsedSkill {
  const problems: SkillProblem[] = [];
  const report: Report = (key, line, values) => problems.push(problemAt(key, { id, file, line }, values));
  const text = plainText(content, report);
  const split = text === undefined ? undefined : splitFrontMatter(text, report);
  if (text === undefined || !split) return { problems };
  const front = readFrontMatter(split.front, 2);
  if (!front) {
    report('yaml/no-keys', 2);
    return { problems };
  }
  for (const { key, line } of front.forgiven) report(key, line);
  const { values, lineOf } = front;
  const description = readDescription(values.description, lineOf('description'), report);
  if (description === undefined) return { problems };
  const name = readName(values.name, id, lineOf('name'), report);
  if (!isReferable(id)) report('not-referable', 1, { id: JSON.stringify(id) });
  const metadata = readMetadata(values, lineOf, report);
  const requires_capabilities = wordsOf(values.requires_capabilities ?? metadata.requires_capabilities);
  const extensions = Object.fromEntries(Object.entries(values).filter(([key]) => !ownKeys.includes(key)));
  checkOptional(values, lineOf, report);
  reportHidden(text, report);
  const descriptor = { id, name, description, scope, requires_capabilities, metadata, source_name: '' };
  return { document: { descriptor, body: split.body, extensions }, problems };
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

function plainText(content: Uint8Array | string, report: Report): string | undefined {
  if (
    typeof content !== 'string' &&
    /^(?:fffe|feff)/.test(Buffer.from(content.subarray(0, 2)).toString('hex'))
  ) {
    report('encoding/utf-16', 1);
    return undefined;
  }
  let text = typeof content === 'string' ? content : decoder.decode(content);
  if (typeof content !== 'string' && text.includes('\ufffd'))
    report('encoding', lineAt(text, text.indexOf('\ufffd')));
  if (text.startsWith('\ufeff')) {
    report('byte-order-mark', 1);
    text = text.slice(1);
  }
  if (text.includes('\r')) {
    report('line-ends', 1);
    text = text.replace(/\r\n?/g, '\n');
  }
  return text;
}

function splitFrontMatter(text: string, report: Report): { front: string; body: string } | undefined {
  if (!/^---[ \t]*(?:\n|$)/.test(text)) {
    const later = /^---[ \t]*$/m.exec(text.slice(0, 2000));
    const named = later && /^(?:name|description)[ \t]*:/m.test(text.slice(later.index, later.index + 2000));
    if (later && named) report('text-before', lineAt(text, later.index));
    else report('no-front-matter', 1);
    return undefined;
  }
  const start = text.indexOf('\n') + 1;
  const end = /^---[ \t]*$/m.exec(text.slice(start));
  if (start === 0 || !end) {
    report('unclosed', 1);
    return undefined;
  }
  const bodyStart = start + end.index + end[0].length + 1;
  return {
    front: text.slice(start, start + end.index).replace(/\n$/, ''),
    body: text.slice(bodyStart).trim(),
  };
}

function readDescription(value: unknown, line: number, report: Report): string | undefined {
  if (value && typeof value === 'object' && !Array.isArray(value)) {
    report('description/keys', line);
    return undefined;
  }
  const text = (Array.isArray(value) ? value.map(String).join(' ') : String(value ?? ''))
    .trim()
    .replace(/\s*\n\s*/g, ' ');
  if (typeof value !== 'string' && value !== undefined && value !== null) report('description', line);
  if (text === '') {
    report('no-description', line);
    return undefined;
  }
  if (text.length > 1024) report('description-length', line, { length: text.length });
  return text;
}

function readName(value: unknown, id: string, line: number, report: Report): string {
  const segment = lastSegment(id);
  const name = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (name === '') {
    report('no-name', line, { quoted: JSON.stringify(segment), segment });
    return segment;
  }
  const shown = { name: JSON.stringify(name.slice(0, 80)), segment: JSON.stringify(segment) };
  if (!isStandardName(name)) report('name', line, shown);
  if (name !== segment) report('name-differs', line, shown);
  return name;
}

function readMetadata(
  values: Record<string, unknown>,
  lineOf: LineOf,
  report: Report,
): Record<string, string> {
  const { metadata } = values;
  if (!metadata || typeof metadata !== 'object' || Array.isArray(metadata)) {
    if ('metadata' in values) report('metadata', lineOf('metadata'));
    return {};
  }
  const entries = Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined);
  if (entries.some(([, value]) => typeof value !== 'string')) report('metadata/json', lineOf('metadata'));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** A list, or words separated by spaces or commas. */
function wordsOf(value: unknown): string[] {
  const words = typeof value === 'string' ? value.split(/[\s,]+/) : value;
  return Array.isArray(words) ? words.map(String).filter(Boolean) : [];
}

function checkOptional(values: Record<string, unknown>, lineOf: LineOf, report: Report): void {
  const tools = values['allowed-tools'];
  if (Array.isArray(tools) || (typeof tools === 'string' && tools.includes(',')))
    report('allowed-tools', lineOf('allowed-tools'));
  if (typeof values.compatibility === 'string' && values.compatibility.length > 500)
    report('compatibility', lineOf('compatibility'));
  const unknown = Object.keys(values).filter((key) => !knownKeys.has(key));
  const [first] = unknown;
  if (first !== undefined) report('unknown-keys', lineOf(first), { keys: unknown.slice(0, 12).join(', ') });
}

function reportHidden(text: string, report: Report): void {
  for (const { kind, line, count } of hiddenCharacters(text)) report('hidden-text', line, { kind, count });
  const comment = /<!--[\s\S]*?(?:-->|$)/.exec(text);
  if (comment) report('html-comment', lineAt(text, comment.index));
}
