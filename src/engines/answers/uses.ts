import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath } from '../../base/text/index.ts';
import { type LinkedSymbol, reachedFiles, type SymbolRecord } from '../../stores/code/index.ts';
import type { Conventions } from '../../stores/conventions/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

/** Symbols of one name that are looked up together. */
const namesakes = 4;
const most = 12;

/** Only what warns is said: the other links are followed through imports, by a compiler or by an index. */
const doubt = (known: LinkedSymbol['known']): string => (known === 'name' ? ' (by name only)' : '');

/** What the index has about a look-up: the first few, and how many there are. */
export interface Looked {
  cited: Cited[];
  total: number;
  /** Places that nobody can vouch for; they are cited where there is no other. */
  possible?: number;
  notes?: string[];
  path?: string;
}

/** Symbols of exactly that name, the likeliest first; overloads are one. */
export async function symbolsCalled({ code }: AnswersContext, name: string): Promise<SymbolRecord[]> {
  const last = name.split(/::|[.#]/).at(-1);
  const byPlace = new Map<string, SymbolRecord>();
  // A word in other letters is a word, not this symbol.
  for (const symbol of (await code()).find(name))
    if (symbol.kind !== 'file' && symbol.name === last) {
      const place = `${symbol.path}#${symbol.qualified.replace(/~\d+$/, '')}`;
      if (!byPlace.has(place)) byPlace.set(place, symbol);
    }
  return [...byPlace.values()].slice(0, namesakes);
}

/** Undefined where the name is not a symbol. The places are those that `sylk callers` lists. */
export async function usesOf(
  context: AnswersContext,
  name: string,
  meant?: SymbolRecord,
): Promise<Looked | undefined> {
  const code = await context.code();
  const called = meant ? [meant] : await symbolsCalled(context, name);
  // Of several of one name the most used is meant; tests have stand-ins of the same name.
  const [symbol] = called
    .map((each) => ({ each, uses: isTestPath(each.path) ? 0 : code.uses(each).length }))
    .sort((left, right) => right.uses - left.uses)
    .map(({ each }) => each);
  if (!symbol) return undefined;
  const others = called.filter((each) => each !== symbol);
  const places = new Map<string, LinkedSymbol>();
  for (const link of code.uses(symbol).sort(byWorth)) {
    const place = `${link.path}:${link.at_line || link.line}`;
    if (!places.has(place)) places.set(place, link);
  }
  const possible = code.possibleUses(symbol);
  const notes = [
    ...(possible.length > 0 && places.size > 0
      ? [`${possible.length} possible calls by this name on something of unknown type: sylk callers ${name}`]
      : []),
    ...others.map(
      ({ path, line, qualified }) => `Another ${symbol.name}: ${path}:${line} (sylk callers ${qualified})`,
    ),
  ];
  const shown = [...places].slice(0, most);
  const unsure = places.size > 0 ? [] : possible.slice(0, most);
  const lineAt = await lineReader((await context.conventions()).projectFiles, [
    ...shown.map(([, { path }]) => path),
    ...unsure.map(({ path }) => path),
  ]);
  if (unsure.length > 0)
    return {
      total: 0,
      possible: possible.length,
      notes,
      cited: unsure.map(({ path, line, name: caller }) => ({
        ref: fileRef(path),
        domain: 'code',
        place: `${path}:${line}`,
        reason: `${[caller, lineAt(path, line)].filter(Boolean).join(': ')} (possible: the same name, of unknown type)`,
      })),
    };
  return {
    total: places.size,
    notes,
    cited: shown.map(([place, link]) => ({
      ref: link.ref,
      domain: 'code',
      place,
      reason: `${[link.kind === 'file' ? link.edge : link.qualified, lineAt(link.path, link.at_line)].filter(Boolean).join(': ')}${doubt(link.known)}`,
    })),
  };
}

/** What a change of something that is only described can affect: the place that it is, then where that is used. */
export async function impactOfDescribed(context: AnswersContext, need: string): Promise<Looked | undefined> {
  const recall = await context.recall();
  const asked = await recall.question(`where ${need.replace(/^(?:how|where|the way(?: that)?) /i, '')}`);
  const { cards } = await recall.searchDomain({ domain: 'code', ...asked, limit: 1 });
  const [card] = cards;
  if (!card?.path) return undefined;
  const [from = 0, to = 0] = card.lines?.split('-').map(Number) ?? [];
  const symbol = (await context.code())
    .fileSymbols(card.path)
    .filter(({ line, end_line }) => line >= from && end_line <= to)
    .sort((a, b) => b.end_line - b.line - (a.end_line - a.line))[0];
  if (!symbol) return undefined;
  const used = await usesOf(context, symbol.name, symbol);
  const own: Cited = {
    ref: symbol.ref,
    domain: 'code',
    place: `${card.path}:${card.lines ?? symbol.line}`,
    reason: `${symbol.signature || symbol.name}: this is what would change`,
  };
  return {
    total: used?.total ?? 0,
    possible: used?.possible,
    notes: used?.notes ?? [],
    path: symbol.name,
    cited: [own, ...(used?.cited ?? [])],
  };
}

export async function impactOf(context: AnswersContext, name: string): Promise<Looked | undefined> {
  const [first] = await symbolsCalled(context, name);
  if (!first) return undefined;
  const links = (await context.code()).linked(first, { direction: 'in', depth: 3, limit: 5000 });
  const files = reachedFiles(links, first.path);
  return {
    total: files.length,
    cited: files
      .slice(0, most)
      .map(({ path, depth, confidence, measured, symbols: through, more_symbols, lines, test }) => ({
        ref: fileRef(path),
        domain: 'code',
        place: lines[0] ? `${path}:${lines[0]}` : path,
        reason: `${test ? 'a test, ' : ''}${depth === 1 ? 'directly' : `in ${depth} steps`}${through.length > 0 ? ` by ${through.slice(0, 3).join(', ')}` : ''}${through.length > 3 ? ` and ${through.length - 3 + more_symbols} more` : ''}${measured ? `, ${Math.round(confidence * 100)} % sure` : ''}`,
      })),
  };
}

/** Code before tests, a line before a whole file, then the most certain link. */
function byWorth(left: LinkedSymbol, right: LinkedSymbol): number {
  const rank = ({ path, qualified, at_line, kind }: LinkedSymbol) =>
    Number(isTestPath(path) || /^tests?(?:\.|$)/.test(qualified)) * 2 +
    Number(at_line === 0 || kind === 'file');
  return rank(left) - rank(right) || right.confidence - left.confidence;
}

/** Lines of files as they are now, short and without secrets; a file that is gone has none. */
async function lineReader(files: Conventions['projectFiles'], paths: string[]) {
  const linesByPath = new Map<string, string[]>();
  for (const path of new Set(paths)) linesByPath.set(path, ((await files.read(path)) ?? '').split('\n'));
  return (path: string, line: number): string =>
    line > 0 ? redact((linesByPath.get(path)?.[line - 1] ?? '').trim().slice(0, 120)) : '';
}
