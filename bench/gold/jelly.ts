import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CodeStore, SymbolRecord } from '../../src/stores/code/index.ts';
import { add, type Score, scoreOf, show, withIndexed } from './index-directory.ts';

interface CallGraph {
  files: string[];
  functions: Record<string, string>;
  fun2fun: Array<[number, number]>;
}

/** Dynamic call graphs of cs-au-dk/jelly: `tests/micro/<case>.json` beside `<case>.js`; functions are places. */
export async function jelly(from: string, detail: boolean): Promise<void> {
  const directory = join(from, 'tests', 'micro');
  const total: Score = { right: 0, ours: 0, gold: 0 };
  let withoutName = 0;
  const graphs = readdirSync(directory).filter(
    (name) => name.endsWith('.json') && !name.includes('patterns'),
  );
  await withIndexed(directory, (code) => {
    for (const name of graphs.sort()) {
      const graph = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Partial<CallGraph>;
      if (!graph.fun2fun || !graph.functions || !graph.files) continue;
      if (!graph.files.every((file) => existsSync(join(directory, file)))) continue;
      const place = (id: number) => placeOf(code, graph as CallGraph, id);
      const gold = new Set<string>();
      const possible = new Set<string>();
      for (const [caller, callee] of graph.fun2fun) {
        const to = place(callee);
        const by = place(caller);
        if (!to?.exact || !by) withoutName++;
        else gold.add(`${by.ref} → ${to.ref}`);
      }
      for (const file of graph.files) possible.add(file);
      const reached = new Set([...gold].flatMap((one) => one.split(' → ')));
      const ours = ourCalls(code, [...possible], reached);
      add(total, scoreOf(ours, gold));
      if (detail) {
        for (const one of ours) if (!gold.has(one)) console.log(`  extra   ${basename(name)}: ${one}`);
        for (const one of gold) if (!ours.has(one)) console.log(`  missing ${basename(name)}: ${one}`);
      }
    }
  });
  console.log(
    `${show('javascript, calls', total)}; ${withoutName} more gold calls are to functions without a name`,
  );
}

/** `file:line:column:line:column` → the innermost symbol there; exact when it starts and ends on the same lines. */
function placeOf(code: CodeStore, graph: CallGraph, id: number): { ref: string; exact: boolean } | undefined {
  const [file, line, , endLine] = graph.functions[String(id)]!.split(':').map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const path = graph.files[file]!;
  const symbols = code
    .fileSymbols(path)
    .filter((one) => ['function', 'method', 'constructor'].includes(one.kind));
  const exact = symbols.filter((one) => one.line === line && one.end_line === endLine);
  if (exact.length === 1) return { ref: exact[0]!.ref, exact: true };
  const around = symbols.filter((one) => one.line <= line && one.end_line >= endLine).at(-1);
  return { ref: around?.ref ?? `file:${path}`, exact: false };
}

/** The gold is what ran: calls from code that never ran are not judged. */
function ourCalls(code: CodeStore, files: string[], ran: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  for (const path of files) {
    const own = code.find(`file:${path}`)[0];
    if (!own) continue;
    for (const symbol of [own, ...code.fileSymbols(path)]) {
      const by = holder(code, symbol);
      for (const link of code.directCalls(symbol))
        if (['function', 'method', 'constructor'].includes(link.kind) && ran.has(by.ref))
          found.add(`${by.ref} → ${link.ref}`);
    }
  }
  return found;
}

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
