import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isProseOrSettings, isTestPath, searchWords } from '../../base/text/index.ts';
import { formsOf, isAside, readWorktreeFile } from '../recall/index.ts';
import type { AnswersContext } from './context.ts';
import { holdersOf } from './present-facts.ts';
import type { Cited } from './specialists/compose.ts';

const most = 5;
const mostLines = 3000;
/** Of the words so many stand in the name, its line, the comment above it, what holds it or the path. */
const enough = 0.75;
const above = 3;
/** What a name says where a question asks how many or how much. */
const implied = ['num', 'max', 'min', 'default', 'count'];
const optional = new Set([
  'default',
  'number',
  'count',
  'name',
  'valu',
  'mani',
  'long',
  'size',
  'set',
  'on',
  'off',
  'enabl',
  'disabl',
  'allow',
  'support',
  'exist',
  ...'may can could might must be get becom befor until file time allow most at keep kept'.split(' '),
]);

/** What a limit is called where a question asks how big or how long something may be. */
const limits =
  '(max|maximum|min|minimum|limit)[a-z]{0,3}[_-]?(size|len|length|bytes|count|depth|height|width|age|tries|retries|attempts|duration|wait)|(size|length|age|depth|count)[_-]?(limit|max)|ttl|expir[a-z]+';
/** `tried again` is a retry. */
const saidInOne: Array<[said: RegExp, meant: string]> = [
  [/\btr(?:y|ies|ied) (?:it )?again\b/gi, 'retry'],
  [/\b(?:gives?|gave|giving) up\b/gi, 'max attempts'],
];

/**
 * Lines that give a value to a name made of the words: `maximum height of the skip list` is kMaxHeight of skiplist.h. A name
 * needs two of the words, or one and what the question implies.
 */
export async function factLines(
  context: AnswersContext,
  subject: string,
  measure?: string,
): Promise<{ cited: Cited[]; total: number }> {
  const said = saidInOne.reduce((text, [from, to]) => text.replace(from, to), subject);
  const words = [...new Set(searchWords(said))];
  const needed = words.filter((word) => !optional.has(word));
  if (needed.length === 0 || words.length > 10) return { cited: [], total: 0 };
  const own = namesOf([...new Set([...words, ...implied])], needed);
  const pattern = measure ? `${own}|${limits}` : own;
  const { stdout } = await context.git.run(
    ['grep', '-z', '-n', '-I', '-i', '-E', '--untracked', '-e', pattern, '--', '.'],
    { accept: [1, 128], timeoutMs: 3000, maxOutputBytes: 3_000_000, mayCut: true },
  );
  const rows = stdout.toString('utf8').split('\n').slice(0, mostLines);
  const texts = new Map<string, string[]>();
  const found: Array<{ cited: Cited; worth: number }> = [];
  for (const row of rows) {
    const [path = '', at = '', text = ''] = row.split('\0');
    if (!path || isTestPath(path) || isProseOrSettings(path)) continue;
    const name = nameGiven(text, pattern);
    if (!name) continue;
    const lines = texts.get(path) ?? (readWorktreeFile(context.repository.root, path) ?? '').split('\n');
    texts.set(path, lines);
    const worth = worthOf(needed, { name, text, path, lines, line: Number(at) });
    if (worth >= enough)
      found.push({
        worth: worth - (isAside(path) ? 0.3 : 0),
        cited: {
          ref: fileRef(path),
          domain: 'code',
          place: `${path}:${at}`,
          reason: redact(text.trim().slice(0, 200)),
        },
      });
  }
  found.sort((a, b) => b.worth - a.worth);
  const best = (found[0]?.worth ?? 0) - 0.15;
  const near = found.filter(({ worth }) => worth >= best);
  return { cited: near.slice(0, most).map(({ cited }) => cited), total: near.length };
}

const lettersOf = (word: string): string =>
  [...formsOf(word)]
    .map((each) => each.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter(Boolean)
    .join('|');

/** Two of the words beside each other in one name, one of them needed. */
function namesOf(words: string[], needed: string[]): string {
  const pairs = words.flatMap((one) =>
    words
      .filter((other) => other !== one && (needed.includes(one) || needed.includes(other)))
      .map((other) => `(${lettersOf(one)})[a-z]{0,3}[_-]?(${lettersOf(other)})`),
  );
  return pairs.join('|');
}

/** The name on the line that is given a value there. */
function nameGiven(line: string, pattern: string): string | undefined {
  const given =
    /[\p{L}_$@][\p{L}\p{N}_$-]*(?=["'`\]]*\s*(?:(?:\??:[^=,()]*)?(?:=(?![=>])|:=)|:)\s*(?:["'`\d[{%|-]|\.\d|(?:true|false|True|False|None|none|null|nil)\b|[A-Z][\w.:]*[({.]))|(?<=#\s*define\s+)\w+(?=\s+\S)/gu;
  const named = new RegExp(pattern, 'i');
  return line.match(given)?.find((name) => named.test(name));
}

interface Place {
  name: string;
  text: string;
  path: string;
  lines: string[];
  line: number;
}

/** How much of the words is said: in the name most, around it less. */
function worthOf(needed: string[], { name, text, path, lines, line }: Place): number {
  const own = new Set(searchWords(name));
  const indent = Math.max(0, text.search(/\S/));
  const near = new Set(
    searchWords(
      [
        path,
        text,
        ...lines.slice(Math.max(0, line - 1 - above), line - 1),
        ...holdersOf(lines, line - 1, indent),
      ].join(' '),
    ),
  );
  const joined = [...near].join(' ');
  const said = (word: string): number => {
    const forms = [...formsOf(word)];
    if (forms.some((each) => own.has(each))) return 1;
    if (forms.some((each) => near.has(each) || (each.length >= 4 && joined.includes(each)))) return 0.8;
    return 0;
  };
  const extra = [...own].filter(
    (each) => each.length > 1 && !implied.includes(each) && !needed.some((word) => formsOf(word).has(each)),
  ).length;
  const isConstant =
    /^(?:[A-Z\d_]+|k[A-Z].*)$/.test(name) || indent === 0 || /\b(?:const|final|static|readonly)\b/.test(text);
  return (
    needed.reduce((sum, word) => sum + said(word), 0) / needed.length - 0.06 * extra + (isConstant ? 0.05 : 0)
  );
}
