import type { Git } from '../base/git/index.ts';
import { redact } from '../base/redact.ts';
import { fileRef } from '../base/ref.ts';
import { isTestPath } from '../base/text/index.ts';
import type { StructureParts } from '../engines/guide/knowers/index.ts';
import { type CodeStore, type LinkedSymbol, reachedFiles, type SymbolRecord } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import { peopleOf } from './guide-commits.ts';

/** Symbols of one name that are asked about together. */
const namesakes = 4;
const calls = new Set(['calls'] as const);
const called = new Set(['function', 'method', 'constructor', 'macro']);

/** What the Librarian looks up instead of searching: the links of the code, and how things are done here. */
export function structureOf(parts: {
  git: Git;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  remembered: StructureParts['remembered'];
}): StructureParts {
  const symbolsOf = async (name: string): Promise<SymbolRecord[]> => {
    const last = name.split(/::|[.#]/).at(-1);
    const found = (await parts.code()).find(name);
    // A word in other letters is a word, not this symbol.
    return found.filter((symbol) => symbol.kind !== 'file' && symbol.name === last).slice(0, namesakes);
  };
  const linkedTo = async (symbols: SymbolRecord[], depth: number): Promise<LinkedSymbol[]> => {
    const code = await parts.code();
    return symbols.flatMap((symbol) =>
      code.linked(symbol, {
        direction: 'in',
        depth,
        limit: depth > 1 ? 5000 : 500,
        kinds: depth === 1 && called.has(symbol.kind) ? calls : undefined,
      }),
    );
  };
  return {
    uses: async (name, limit) => {
      const symbols = await symbolsOf(name);
      if (symbols.length === 0) return undefined;
      const links = (await linkedTo(symbols, 1)).sort(byWorth);
      const places = new Map<string, LinkedSymbol>();
      for (const link of links) {
        const place = `${link.path}:${link.at_line || link.line}`;
        if (!places.has(place)) places.set(place, link);
      }
      const shown = [...places].slice(0, limit);
      const lineOf = await linesOf(
        (await parts.conventions()).projectFiles,
        shown.map(([, { path }]) => path),
      );
      return {
        total: places.size,
        found: shown.map(([place, link]) => ({
          ref: link.ref,
          domain: 'code',
          trust: 100,
          place,
          reason: [link.kind === 'file' ? link.edge : link.qualified, lineOf(link.path, link.at_line)]
            .filter(Boolean)
            .join(': '),
        })),
      };
    },
    impact: async (name, limit) => {
      const symbols = await symbolsOf(name);
      if (symbols.length === 0) return undefined;
      const files = reachedFiles(await linkedTo(symbols, 3), symbols[0]!.path);
      return {
        total: files.length,
        found: files.slice(0, limit).map(({ path, depth, confidence, symbols: through, test }) => ({
          ref: fileRef(path),
          domain: 'code',
          trust: 100,
          place: path,
          reason: `${test ? 'a test, ' : ''}${depth === 1 ? 'directly' : `in ${depth} steps`}${through.length > 0 ? ` by ${through.slice(0, 3).join(', ')}` : ''}, ${Math.round(confidence * 100)} % sure`,
        })),
      };
    },
    remembered: parts.remembered,
    people: (subject, limit) => peopleOf(parts.git, subject, limit),
    tools: async (category) => {
      const { tools } = await (await parts.conventions()).tools.discover({ path: '', category });
      const found = tools.map((tool) => {
        const place = tool.config_path ?? tool.evidence[0]?.replace(/:.*$/s, '') ?? tool.name;
        return {
          ref: fileRef(place),
          domain: 'code',
          trust: 100,
          place,
          reason: `${tool.name}${tool.version ? ` ${tool.version}` : ''}: \`${tool.run_command}\` (${tool.language}, ${tool.confidence} confidence${tool.is_installed ? '' : ', not installed'})`,
        };
      });
      return { total: found.length, found };
    },
    existing: async (need, limit) => {
      const { matches } = await (await parts.conventions()).components.find({
        need,
        type: 'any',
        path: '',
        limit,
      });
      const found = matches.map((match) => ({
        ref: fileRef(match.path),
        domain: 'code',
        trust: 100,
        place: `${match.path}:${match.line}`,
        reason: [match.signature || `${match.type} ${match.name}`, match.description]
          .filter(Boolean)
          .join(' — '),
      }));
      return { total: found.length, found };
    },
  };
}

/** Code before tests, a line before a whole file, then the surest. */
function byWorth(left: LinkedSymbol, right: LinkedSymbol): number {
  const rank = ({ path, qualified, at_line, kind }: LinkedSymbol) =>
    Number(isTestPath(path) || /^tests?(?:\.|$)/.test(qualified)) * 2 +
    Number(at_line === 0 || kind === 'file');
  return rank(left) - rank(right) || right.confidence - left.confidence;
}

/** Lines of files as they are now, short and without secrets; a file that is gone has none. */
async function linesOf(files: Conventions['projectFiles'], paths: string[]) {
  const read = new Map<string, string[]>();
  for (const path of new Set(paths)) read.set(path, ((await files.read(path)) ?? '').split('\n'));
  return (path: string, line: number): string =>
    line > 0 ? redact((read.get(path)?.[line - 1] ?? '').trim().slice(0, 120)) : '';
}
