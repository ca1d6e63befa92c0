import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeStore, SymbolRecord } from '../../src/stores/code/index.ts';
import { add, type Score, scoreOf, show, withIndexed } from './index-directory.ts';

/** Call graphs of vitsalis/PyCG: `micro-benchmark/snippets/<topic>/<case>/callgraph.json`. */
export async function pycg(from: string, detail: boolean): Promise<void> {
  const snippets = join(from, 'micro-benchmark', 'snippets');
  const named: Score = { right: 0, ours: 0, gold: 0 };
  const symbols: Score = { right: 0, ours: 0, gold: 0 };
  let withoutName = 0;
  for (const topic of readdirSync(snippets).sort()) {
    const topicScore: Score = { right: 0, ours: 0, gold: 0 };
    for (const name of readdirSync(join(snippets, topic)).sort()) {
      const file = join(snippets, topic, name, 'callgraph.json');
      if (!existsSync(file)) continue;
      const graph = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>;
      await withIndexed(join(snippets, topic, name), (code) => {
        const known = pythonNames(code);
        const gold = new Set<string>();
        for (const [caller, callees] of Object.entries(graph))
          for (const callee of callees) {
            if (callee.startsWith('<builtin>') || !isOurs(callee, code)) continue;
            // A lambda has no name to ask for; PyCG numbers them.
            if (/<(?:lambda|dict|list)/.test(callee) || /<(?:lambda|dict|list)/.test(caller)) withoutName++;
            else gold.add(`${caller} → ${callee}`);
          }
        const ours = ourCalls(code, known);
        const score = scoreOf(ours, gold);
        add(topicScore, score);
        const definitions = new Set(
          Object.keys(graph).filter((one) => isOurs(one, code) && !one.includes('<') && known.has(one)),
        );
        add(
          symbols,
          scoreOf(
            definitions,
            new Set(Object.keys(graph).filter((one) => isOurs(one, code) && !one.includes('<'))),
          ),
        );
        if (detail) {
          for (const one of ours) if (!gold.has(one)) console.log(`  extra   ${topic}/${name}: ${one}`);
          for (const one of gold) if (!ours.has(one)) console.log(`  missing ${topic}/${name}: ${one}`);
        }
      });
    }
    add(named, topicScore);
    console.log(show(`python ${topic}`, topicScore));
  }
  // Only names of the gold are looked up: what we define beyond them is not counted, so there is no precision.
  console.log(
    `python, definitions: recall ${(symbols.right / symbols.gold).toFixed(3)} (${symbols.right} of ${symbols.gold})`,
  );
  console.log(
    `${show('python, calls', named)}; ${withoutName} more gold calls are from or to lambdas, which have no name`,
  );
}

const moduleOf = (path: string): string =>
  path
    .replace(/\.py$/, '')
    .replaceAll('/', '.')
    .replace(/\.__init__$/, '');

function pythonNames(code: CodeStore): Set<string> {
  const names = new Set<string>();
  for (const file of code.files({ language: 'python' })) {
    names.add(moduleOf(file.path));
    for (const symbol of code.fileSymbols(file.path)) names.add(pythonName(symbol));
  }
  return names;
}

const pythonName = (symbol: SymbolRecord): string =>
  symbol.kind === 'file'
    ? moduleOf(symbol.path)
    : `${moduleOf(symbol.path)}.${symbol.qualified.replace(/~\d+$/, '')}`;

const isOurs = (name: string, code: CodeStore): boolean =>
  code
    .files({ language: 'python' })
    .some((file) => name === moduleOf(file.path) || name.startsWith(`${moduleOf(file.path)}.`));

/** Calls of functions and constructors; a class without a constructor of its own is not a function that runs. */
function ourCalls(code: CodeStore, known: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const file of code.files({ language: 'python' })) {
    const own = code.symbols(`file:${file.path}`)[0]!;
    for (const symbol of [own, ...code.fileSymbols(file.path)])
      for (const link of code.directCalls(symbol)) {
        if (link.kind === 'class') continue;
        const callee = pythonName(link);
        if (known.has(callee)) found.add(`${pythonName(holder(code, symbol))} → ${callee}`);
      }
  }
  return found;
}

/** What stands in the body of a class or in a variable runs with the code around it. */
function holder(code: CodeStore, symbol: SymbolRecord): SymbolRecord {
  let here = symbol;
  while (
    here.kind !== 'file' &&
    here.kind !== 'function' &&
    here.kind !== 'method' &&
    here.kind !== 'constructor'
  ) {
    const dot = here.qualified.lastIndexOf('.');
    const outer = dot < 0 ? [] : code.find(`symbol:${here.path}#${here.qualified.slice(0, dot)}`);
    here = outer[0] ?? code.symbols(`file:${here.path}`)[0]!;
  }
  return here;
}
