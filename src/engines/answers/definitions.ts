import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath, quoteForPattern } from '../../base/text/index.ts';
import type { SymbolRecord } from '../../stores/code/index.ts';
import { readWorktreeFile } from '../recall/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

const most = 6;

interface Found {
  cited: Cited[];
  total: number;
}

/** Where a name is defined: code before tests, what has a body before what only declares it. */
export async function definitionsOf(context: AnswersContext, name: string): Promise<Found> {
  const symbols = await symbolsNamed(context, name);
  if (symbols.length === 0) return linesDefining(context, name);
  return {
    total: symbols.length,
    cited: symbols.slice(0, most).map((symbol) => ({
      ref: symbol.ref,
      domain: 'code',
      place: `${symbol.path}:${symbol.line}`,
      reason: [symbol.signature || `${symbol.kind} ${symbol.name}`, symbol.doc].filter(Boolean).join(' — '),
    })),
  };
}

/** Variables of makefiles, of settings, and of files that are not parsed: the lines that begin with giving them a value. */
async function linesDefining(context: AnswersContext, name: string): Promise<Found> {
  const begins = new RegExp(
    `^\\s*(?:(?:export|set|local|readonly|declare|const|let|var|ENV|ARG|#\\s*define)\\s+)?["']?${escapeName(name)}["']?(?:\\s*(?:[:?+!]{0,2}=(?!=)|:(?:\\s|$))|(?<=define\\s+\\S+)[\\s(]|(?<=define\\s+\\S+)$)`,
    'u',
  );
  const cited = (await linesWith(context, name))
    .filter(({ path, text }) => begins.test(text) && !isProse(path))
    .map(({ path, line, text }) => ({
      ref: fileRef(path),
      domain: 'code',
      place: `${path}:${line}`,
      reason: redact(text.trim().slice(0, 200)),
    }))
    .sort((a, b) => Number(isTestPath(a.place)) - Number(isTestPath(b.place)));
  return { total: cited.length, cited: cited.slice(0, most) };
}

/** The lines that give a name its value. */
export async function valuesOf(context: AnswersContext, name: string): Promise<Found> {
  const { root } = context.repository;
  const lines = new Map<string, Cited>();
  const cite = (path: string, line: number, text: string) =>
    lines.set(`${path}:${line}`, {
      ref: fileRef(path),
      domain: 'code',
      place: `${path}:${line}`,
      reason: redact(text.trim().slice(0, 200)),
    });
  for (const symbol of await symbolsNamed(context, name)) {
    const text = readWorktreeFile(root, symbol.path)?.split('\n') ?? [];
    const at = text.findIndex((line, index) => index >= symbol.line - 1 && line.includes(name));
    if (at >= 0 && at < symbol.end_line) cite(symbol.path, at + 1, text[at] ?? '');
  }
  // A function of this name, or a field that gets a parameter, has no value: a parameter of this name may have one.
  const givesValue = givenValue(name);
  if (![...lines.values()].some(({ place, reason }) => givesValue.test(reason) && !isTestPath(place)))
    for (const { path, line, text } of await assignmentsOf(context, name)) cite(path, line, text);
  const rank = ({ place, reason }: Cited) =>
    Number(isTestPath(place) || isProse(place)) * 2 + Number(!givesValue.test(reason));
  const cited = [...lines.values()].sort((a, b) => rank(a) - rank(b));
  const best = cited[0] ? rank(cited[0]) : 0;
  const shown = best === 0 ? cited.filter((each) => rank(each) % 2 === 0) : cited;
  return { total: shown.length, cited: shown.slice(0, most) };
}

const isProse = (place: string): boolean =>
  /\.(?:md|mdx|rst|adoc|txt|org)(?::|$)|(?:^|\/)(?:docs?|releasenotes|changes?|changelogs?|news)(?:[./]|$)/i.test(
    place,
  );

/** `name = 3`, `name: int = 3`, `name: 3`, `#define name 3`: a value that stands there, not another name. */
function givenValue(name: string): RegExp {
  const last = quoteForPattern(name.split(/::|[.#]/).at(-1) ?? name);
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${last}["'\`\\]]*\\s*(?:(?::[^=,()]*)?(?:=(?![=>])|:=)|:|(?<=define\\s+\\w+)\\s)\\s*(?:["'\`\\d[{(/%|-]|\\.\\d|(?:[Tt]rue|[Ff]alse|TRUE|FALSE|[Nn]one|null|NULL|nullptr|nil|undefined)\\b|[A-Z][\\w.:]*[({.]|[a-z]\\w*["'(])`,
    'u',
  );
}

async function symbolsNamed({ code }: AnswersContext, name: string): Promise<SymbolRecord[]> {
  const last = name.split(/::|[.#]/).at(-1);
  // A word in other letters is a word, not this symbol.
  return (await code()).find(name).filter((symbol) => symbol.kind !== 'file' && symbol.name === last);
}

/** `NAME = 3`, `"NAME": 3`, `#define NAME 3`, `NAME: 3`, wherever no symbol is called so. */
async function assignmentsOf(context: AnswersContext, name: string): Promise<Line[]> {
  const escaped = escapeName(name);
  const given = new RegExp(
    `(?:#\\s*define\\s+${escaped}\\b|${escaped}["'\`\\]]*\\s*(?::[^=]*)?(?:=(?!=)|:|\\s\\d))`,
    'u',
  );
  return (await linesWith(context, name)).filter(({ text }) => given.test(text)).slice(0, 20);
}

interface Line {
  path: string;
  line: number;
  text: string;
}

const escapeName = quoteForPattern;

/** Every line of the working tree that has the name as a word. */
async function linesWith({ git }: AnswersContext, name: string): Promise<Line[]> {
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-w', '-F', '--untracked', '-e', name, '--', '.'],
    { accept: [1], timeoutMs: 5000, maxOutputBytes: 2_000_000, mayCut: true },
  );
  return stdout
    .toString('utf8')
    .split('\n')
    .map((row) => row.split('\0'))
    .filter(([path]) => path)
    .map(([path = '', line = '1', text = '']) => ({ path, line: Number(line), text }));
}
