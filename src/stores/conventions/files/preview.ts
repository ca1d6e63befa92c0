import { z } from 'zod';
import { SylkError } from '../../../base/errors.ts';
import { isParsed, languageOf, readFacts } from '../../../base/syntax/index.ts';
import { lineOf } from '../places.ts';
import { unifiedDiff } from './unified-diff.ts';

export const editPreview = z.object({
  found: z.boolean(),
  file_path: z.string(),
  match_count: z.number(),
  match_lines: z.array(z.number()).describe('lines on which old_string starts'),
  diff: z.string().optional(),
  lines_added: z.number(),
  lines_removed: z.number(),
  files_affected: z.number(),
  warnings: z.array(z.string()),
  reversible: z.boolean(),
  error: z.string().optional(),
  suggestion: z.string().optional(),
});
export type EditPreview = z.infer<typeof editPreview>;

export interface EditRequest {
  path: string;
  oldString: string;
  newString: string;
  replaceAll?: boolean | undefined;
}

/** Previews an edit of a file. Nothing is written. */
export async function previewEdit(content: string, request: EditRequest): Promise<EditPreview> {
  const { path, oldString, newString, replaceAll = false } = request;
  if (oldString === '')
    throw new SylkError('VALIDATION_ERROR', 'Missing old_string.', {
      hint: 'Give the text to replace.',
    });
  const places = placesOf(content, oldString);
  const base = {
    file_path: path,
    match_count: places.length,
    match_lines: places.slice(0, 50).map((at) => lineOf(content, at)),
  };
  const [first] = places;
  if (first === undefined) {
    return {
      ...base,
      found: false,
      lines_added: 0,
      lines_removed: 0,
      files_affected: 0,
      warnings: [],
      reversible: true,
      error: 'old_string not found in file',
      suggestion: nearest(content, oldString),
    };
  }
  const after = replaceAll
    ? content.split(oldString).join(newString)
    : content.slice(0, first) + newString + content.slice(first + oldString.length);
  const { text, added, removed } = unifiedDiff(path, content, after);
  const lossy = content.includes('\uFFFD');
  return {
    ...base,
    found: true,
    diff: text,
    lines_added: added,
    lines_removed: removed,
    files_affected: text === '' ? 0 : 1,
    warnings: await warningsFor(content, after, request, places.length, lossy),
    reversible: !lossy,
  };
}

async function warningsFor(
  before: string,
  after: string,
  request: EditRequest,
  matches: number,
  lossy: boolean,
): Promise<string[]> {
  const { path, oldString, newString, replaceAll = false } = request;
  const warnings: string[] = [];
  if (matches > 1 && !replaceAll)
    warnings.push(`old_string matches ${matches} times - only first will be replaced`);
  if (before === after) warnings.push('new_string equals old_string: nothing changes');
  if (before.includes('\r\n') && newString.includes('\n') && !newString.includes('\r\n'))
    warnings.push('the file ends its lines with CRLF, new_string with LF');
  const [indent, usual] = [indentOf(newString), indentOf(before)];
  if (indent && usual && indent !== usual && !oldString.includes(indent === 'tabs' ? '\t' : ' '))
    warnings.push(`new_string is indented with ${indent}, the file with ${usual}`);
  if (/^(<{7}|={7}|>{7})( |$)/m.test(newString)) warnings.push('new_string contains conflict markers');
  if (lossy) warnings.push('the file is not plain UTF-8: writing it back would change other bytes');
  if (await breaks(path, before, after)) warnings.push('the edited file no longer parses');
  return warnings;
}

function indentOf(text: string): 'tabs' | 'spaces' | undefined {
  const lead = /^(\t| {2,})/m.exec(text)?.[1];
  if (!lead) return undefined;
  return lead === '\t' ? 'tabs' : 'spaces';
}

/** True only if the file parsed before and does not parse after. */
async function breaks(path: string, before: string, after: string): Promise<boolean> {
  const language = languageOf(path);
  if (!language || !isParsed(language) || before === after || before.length > 500_000) return false;
  try {
    return (
      !(await readFacts(before, language, 2000)).broken && (await readFacts(after, language, 2000)).broken
    );
  } catch {
    // A file that takes too long to parse gets no warning.
    return false;
  }
}

function placesOf(content: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length))
    places.push(at);
  return places;
}

/** The next step after a miss: the same text with different whitespace, or the most similar line. */
function nearest(content: string, wanted: string): string {
  const lines = content.split('\n');
  const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
  const goal = wanted.split('\n').map(squeeze).filter(Boolean);
  const [head] = goal;
  const general = 'Check for whitespace differences or use a larger context';
  if (head === undefined) return general;
  const squeezed = lines.map(squeeze);
  for (let at = 0; at < lines.length; at++) {
    const end = squeezed[at] === '' ? -1 : matchFrom(squeezed, goal, at);
    if (end < 0) continue;
    return `Line ${at + 1} differs only in whitespace. It reads:\n${lines.slice(at, end).join('\n')}`;
  }
  const wordsOf = (text: string) => text.match(/\w+/g) ?? [];
  const words = new Set(wordsOf(goal.join(' ')));
  let best = { score: 0, at: -1 };
  for (const [at, line] of squeezed.entries()) {
    const own = wordsOf(line);
    const shared = own.filter((word) => words.has(word)).length;
    const score = shared / Math.max(1, own.length, wordsOf(head).length);
    if (score > best.score) best = { score, at };
  }
  return best.score >= 0.5 ? `Did you mean line ${best.at + 1}? It reads:\n${lines[best.at]}` : general;
}

/** Lines that are empty in the file may be in between; returns the line after the match, or -1. */
function matchFrom(squeezed: string[], goal: string[], at: number): number {
  let found = 0;
  let line = at;
  for (; line < squeezed.length && found < goal.length; line++) {
    const [here = '', wanted = ''] = [squeezed[line], goal[found]];
    if (here === '') continue;
    if (here !== wanted && !(goal.length === 1 && here.includes(wanted))) return -1;
    found++;
  }
  return found === goal.length ? line : -1;
}
