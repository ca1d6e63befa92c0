import type { CodeStore, EdgeKind } from '../../src/stores/code/index.ts';

/** Everything a code store answers, as text that does not depend on row numbers: two stores are alike if these are. */
export function dumpCode(code: CodeStore): string[] {
  const lines: string[] = [];
  for (const file of code.files()) {
    lines.push(`file ${file.path} ${file.language} ${file.lines}`);
    const own = code.symbols(`file:${file.path}`)[0]!;
    for (const symbol of code.fileSymbols(file.path))
      lines.push(`symbol ${symbol.ref} ${symbol.kind} ${symbol.line}-${symbol.end_line} ${symbol.signature}`);
    for (const symbol of [own, ...code.fileSymbols(file.path)]) {
      for (const direction of ['out', 'in'] as const)
        for (const link of code.linked(symbol, { direction, depth: 1, limit: 10_000 }))
          lines.push(
            `${direction} ${symbol.ref} ${link.edge satisfies EdgeKind} ${link.ref} ${link.confidence} ${link.at_line}`,
          );
      for (const one of code.unresolved(symbol))
        lines.push(`unresolved ${symbol.ref} ${one.kind} ${one.name}`);
    }
  }
  for (const one of code.skipped()) lines.push(`skipped ${one.path} ${one.reason}`);
  for (const query of ['make part', 'run', 'total of values'])
    lines.push(
      `search ${query}: ${code
        .search({ query, limit: 1_000_000 })
        .map((one) => one.ref)
        .sort()
        .join(' ')}`,
    );
  return lines.sort();
}
