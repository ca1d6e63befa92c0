import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { add, type Score, scoreOf, show, withIndexed } from './index-directory.ts';

/** Snapshots of sourcegraph/scip-typescript: `snapshots/input` beside `snapshots/output` with every definition marked. */
export async function scip(from: string, detail: boolean): Promise<void> {
  const output = join(from, 'snapshots', 'output');
  const total: Score = { right: 0, ours: 0, gold: 0 };
  const calls: Score = { right: 0, ours: 0, gold: 0 };
  await withIndexed(join(from, 'snapshots', 'input'), (code) => {
    for (const path of sources(output)) {
      const marked = readFileSync(join(output, path), 'utf8');
      const gold = goldDefinitions(marked);
      const symbols = code.fileSymbols(path);
      const inFunctions = new Set<string>();
      const functions = symbols.filter((one) => ['function', 'method', 'constructor'].includes(one.kind));
      const ours = new Set<string>();
      for (const one of symbols) {
        const local = functions.some(
          (outer) =>
            outer.ref !== one.ref &&
            one.qualified.startsWith(`${outer.qualified}.`) &&
            one.line >= outer.line &&
            one.end_line <= outer.end_line,
        );
        if (local) inFunctions.add(one.name);
        else ours.add(one.name);
      }
      add(total, scoreOf(ours, gold));
      const goldCalls = goldReferences(marked, functions);
      const mine = new Set<string>();
      for (const symbol of functions)
        for (const link of code.directCalls(symbol)) mine.add(`${symbol.name} → ${link.name}`);
      add(calls, {
        right: [...mine].filter((one) => goldCalls.has(one)).length,
        ours: mine.size,
        gold: goldCalls.size,
      });
      if (detail) {
        for (const one of ours) if (!gold.has(one)) console.log(`  extra   ${path}: ${one}`);
        for (const one of gold) if (!ours.has(one)) console.log(`  missing ${path}: ${one}`);
        for (const one of mine) if (!goldCalls.has(one)) console.log(`  extra call   ${path}: ${one}`);
        for (const one of goldCalls) if (!mine.has(one)) console.log(`  missing call ${path}: ${one}`);
      }
    }
  });
  console.log(show('typescript, definitions', total));
  console.log(show('typescript, calls', calls));
}

function* sources(directory: string, below = directory): Generator<string> {
  for (const entry of readdirSync(below, { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) yield* sources(directory, path);
    else if (/\.(?:tsx?|jsx?)$/.test(entry.name)) yield relative(directory, path);
  }
}

const descriptor = /^\/\/\s*(?:<\s*)?\^*\s*definition (?!local)(\S+ \S+ .+)$/;

/** Names of what is defined for others: no locals, parameters, type parameters, and not the file itself. */
function goldDefinitions(marked: string): Set<string> {
  const found = new Set<string>();
  for (const line of marked.split('\n')) {
    const symbol = descriptor.exec(line)?.[1];
    const name = symbol && nameOf(symbol);
    if (name) found.add(name);
  }
  return found;
}

function nameOf(symbol: string): string | undefined {
  const last = /(?:^|[/#.:`]|\)\.)(`[^`]+`|[\w$]+)(\(\+?\d*\)\.|#|\.|:|\/|!)$/.exec(symbol);
  if (!last || /\)$|\]$/.test(symbol) || last[2] === '/')
    return symbol.endsWith('/') && !symbol.endsWith('`/') ? last?.[1] : undefined;
  const name = last[1]!.replaceAll('`', '');
  // Members of an object or type that was written in place have numbered names of the tool's own.
  return name.replace(/^<constructor>$/, 'constructor').replace(/^<(?:get|set)>(.*)$/, '$1');
}

/** References to functions and methods inside named functions, as `function → callee`. */
function goldReferences(
  marked: string,
  functions: Array<{ name: string; line: number; end_line: number }>,
): Set<string> {
  const found = new Set<string>();
  let line = 0;
  let source = '';
  for (const text of marked.split('\n')) {
    const reference = /^\/\/\s*\^+\s*reference (?!local)(\S+ \S+ .+)$/.exec(text)?.[1];
    if (
      /^\/\/\s*(?:<|\^)/.test(text) ||
      /^\/\/(?: {2,}|\t)?\s*(?:documentation|relationship|>|diagnostic)/.test(text)
    ) {
      const at = text.indexOf('^');
      const end = text.lastIndexOf('^');
      const isCall =
        source
          .slice(end + 1)
          .trimStart()
          .startsWith('(') || /new\s+[\w.]*$/.test(source.slice(0, at));
      if (!reference || !isCall || !/\)\.$|#$/.test(reference) || /typescript|@types/.test(reference))
        continue;
      const name = nameOf(reference);
      const by = functions.filter((one) => one.line <= line && one.end_line >= line).at(-1);
      if (by) found.add(`${by.name} → ${name}`);
      continue;
    }
    line++;
    source = text;
  }
  return found;
}
