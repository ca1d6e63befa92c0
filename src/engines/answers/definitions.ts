import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath } from '../../base/text/index.ts';
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
  if (lines.size === 0)
    for (const { path, line, text } of await assignmentsOf(context, name)) cite(path, line, text);
  const cited = [...lines.values()].sort((a, b) => Number(isTestPath(a.place)) - Number(isTestPath(b.place)));
  return { total: cited.length, cited: cited.slice(0, most) };
}

async function symbolsNamed({ code }: AnswersContext, name: string): Promise<SymbolRecord[]> {
  const last = name.split(/::|[.#]/).at(-1);
  // A word in other letters is a word, not this symbol.
  return (await code()).find(name).filter((symbol) => symbol.kind !== 'file' && symbol.name === last);
}

/** `NAME = 3`, `"NAME": 3`, `#define NAME 3`, `NAME: 3`, wherever no symbol is called so. */
async function assignmentsOf({ git }: AnswersContext, name: string) {
  const escaped = name.replace(/[^\p{L}\p{N}_]/gu, '\\$&');
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-w', '-F', '--untracked', '-e', name, '--', '.'],
    { accept: [1], timeoutMs: 5000, maxOutputBytes: 2_000_000, mayCut: true },
  );
  const given = new RegExp(
    `(?:#\\s*define\\s+${escaped}\\b|${escaped}["'\`\\]]*\\s*(?::[^=]*)?(?:=(?!=)|:|\\s\\d))`,
    'u',
  );
  return stdout
    .toString('utf8')
    .split('\n')
    .map((row) => row.split('\0'))
    .filter(([path, , text = '']) => path && given.test(text))
    .slice(0, 20)
    .map(([path = '', line = '1', text = '']) => ({ path, line: Number(line), text }));
}
