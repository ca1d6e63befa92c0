import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Claim } from './calibration.ts';
import type { Product } from './product.ts';
import { linesOf } from './programs.ts';
import type { JudgedFunction } from './typescript-judge.ts';

interface Linked {
  path: string;
  line: number;
  kind: string;
  edge: string;
  at_line: number;
  confidence: number;
  known?: string;
}

/** A call by the same name on something of unknown type, which is listed apart. */
interface Possible {
  path: string;
  line: number;
  confidence: number;
}

interface Tally {
  right: number;
  ours: number;
  gold: number;
}

/** What a judge in a process of its own says about functions that it drew. */
export const judgedBy = (
  [judge = '', ...language]: readonly string[],
  root: string,
  count: number,
  seed: number,
): JudgedFunction[] =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [join(import.meta.dirname, judge), ...language, root, String(count), String(seed)],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    ),
  );

/** Call sites that `callers` tells, against the judge's; beside it, every line with the name and a bracket after it. */
export async function measureCallers(
  product: Product,
  judged: JudgedFunction[],
  label: string,
  detail: boolean,
): Promise<Claim[]> {
  const ours: Tally = { right: 0, ours: 0, gold: 0 };
  const files: Tally = { right: 0, ours: 0, gold: 0 };
  const grep: Tally = { right: 0, ours: 0, gold: 0 };
  const claims: Claim[] = [];
  let unknown = 0;
  let falseZero = 0;
  for (const one of judged) {
    const gold = new Set(one.uses);
    const { linked, possible, language } = await callersOf(product, one);
    if (!linked) unknown++;
    const sites = new Map<string, Linked>();
    for (const link of linked ?? [])
      if (link.edge !== 'imports' && link.at_line > 0) {
        const site = `${link.path}:${link.at_line}`;
        if ((sites.get(site)?.confidence ?? -1) < link.confidence) sites.set(site, link);
      }
    if (linked?.length === 0 && gold.size > 0) falseZero++;
    const sure = new Set([...sites].filter(([, link]) => link.confidence >= 0.5).map(([site]) => site));
    count(ours, sure, gold);
    count(files, filesOf(sure), filesOf(gold));
    for (const [site, { confidence, known = 'unknown' }] of sites)
      claims.push({ confidence, right: gold.has(site), language, source: known });
    for (const { path, line, confidence } of possible) {
      const site = `${path}:${line}`;
      if (!sites.has(site)) claims.push({ confidence, right: gold.has(site), language, source: 'possible' });
    }
    count(grep, grepped(product.root, one.name), gold);
    if (detail) {
      for (const site of sure)
        if (!gold.has(site))
          console.log(
            `      extra   ${one.path}#${one.name}: ${site} ${sites.get(site)?.edge} ${sites.get(site)?.known} ${sites.get(site)?.confidence}`,
          );
      for (const site of gold)
        if (!sure.has(site)) console.log(`      missing ${one.path}#${one.name}: ${site}`);
    }
  }
  console.log(
    `  callers, ${label}: ${judged.length} functions, ${ours.gold} sites; unknown symbols ${unknown}, "none" where there are some ${falseZero}`,
  );
  console.log(`    sites  ${show(ours)}`);
  console.log(`    files  ${show(files)}`);
  console.log(`    rg     ${show(grep)}`);
  return claims;
}

async function callersOf(product: Product, { path, name, line }: JudgedFunction) {
  // A file that is left out by a rule has no symbols.
  const symbols = await pagesOf<Found>(product, 'get_file_symbols', { path }).catch(() => []);
  const [symbol] = symbols
    .filter((one) => one.name === name)
    .sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
  if (!symbol) return { linked: undefined, possible: [], language: '' };
  const linked = await pagesOf<Linked>(product, 'get_dependents', { symbol_id: symbol.ref, limit: 1000 });
  const { possible } = await product.call<{ possible: Possible[] }>('get_dependents', {
    symbol_id: symbol.ref,
    limit: 1,
  });
  return { linked, possible, language: symbol.language };
}

async function pagesOf<Row>(product: Product, operation: string, input: object): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await product.call<{ results?: Row[]; symbols?: Row[]; next_cursor?: string }>(operation, {
      ...input,
      max_tokens: 20_000,
      cursor,
    });
    rows.push(...(page.results ?? page.symbols ?? []));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return rows;
}

interface Found {
  ref: string;
  name: string;
  line: number;
  language: string;
}

const grepped = (root: string, name: string): Set<string> =>
  new Set(
    linesOf(root, 'rg', ['-n', '--no-heading', `\\b${name.replaceAll('$', '\\$')}\\(`, '.'])
      .filter(
        (hit) =>
          !new RegExp(
            String.raw`(?:function|def|fn|func)\s+(?:\([^)]*\)\s*)?${name.replaceAll('$', '\\$')}\b`,
          ).test(hit),
      )
      .map((hit) => /^\.\/(.*?:\d+):/.exec(hit)?.[1] ?? ''),
  );

const filesOf = (sites: Iterable<string>): Set<string> =>
  new Set([...sites].map((site) => site.replace(/:\d+$/, '')));

function count(tally: Tally, ours: ReadonlySet<string>, gold: ReadonlySet<string>): void {
  for (const one of ours) if (gold.has(one)) tally.right++;
  tally.ours += ours.size;
  tally.gold += gold.size;
}

const show = ({ right, ours, gold }: Tally): string =>
  `precision ${(ours === 0 ? 1 : right / ours).toFixed(3)}  recall ${(gold === 0 ? 1 : right / gold).toFixed(3)}  (right ${right}, ours ${ours}, truth ${gold})`;
