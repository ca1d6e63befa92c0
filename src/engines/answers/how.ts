import { redact } from '../../base/redact.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { LinkedSymbol, SymbolRecord } from '../../stores/code/index.ts';
import { readWorktreeFile } from '../recall/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

const mostSteps = 9;
const mostCallers = 3;
const callable = new Set<string>([
  'function',
  'method',
  'constructor',
  'class',
  'struct',
  'interface',
  'trait',
  'macro',
]);

/** How a thing works: where it begins, what it calls in the order of its lines, and who starts it. */
export async function pathThrough(
  context: AnswersContext,
  subject: string,
): Promise<{ cited: Cited[]; total: number; path?: string } | undefined> {
  const code = await context.code();
  const start = await symbolFor(context, subject);
  if (!start) return undefined;
  const lineAt = (path: string, line: number) =>
    redact(
      (readWorktreeFile(context.repository.root, path)?.split('\n')[line - 1] ?? '').trim().slice(0, 120),
    );
  const steps = stepsOf(code.linked(start, { direction: 'out', depth: 1, limit: 400 }), start);
  const callers = code
    .uses(start)
    .filter(({ path, edge, at_line }) => edge === 'calls' && at_line > 0 && !isTestPath(path))
    .slice(0, mostCallers);
  const cited: Cited[] = [
    {
      ref: start.ref,
      domain: 'code',
      place: `${start.path}:${start.line}-${start.end_line}`,
      reason: [start.signature || `${start.kind} ${start.name}`, start.doc].filter(Boolean).join(' — '),
    },
    ...steps.map((step) => ({
      ref: step.ref,
      domain: 'code',
      place: `${step.path}:${step.line}`,
      reason: `line ${step.at_line} ${step.edge === 'calls' ? 'calls' : 'uses'} ${step.qualified}: ${lineAt(start.path, step.at_line)}`,
    })),
    ...callers.map((caller) => ({
      ref: caller.ref,
      domain: 'code',
      place: `${caller.path}:${caller.at_line}`,
      reason: `started by ${caller.kind === 'file' ? caller.path : caller.qualified}: ${lineAt(caller.path, caller.at_line)}`,
    })),
  ];
  return { cited, total: cited.length, path: start.qualified };
}

/** Every function of the repository that is called, once, by the first line that does. */
function stepsOf(links: LinkedSymbol[], start: SymbolRecord): LinkedSymbol[] {
  const byRef = new Map<string, LinkedSymbol>();
  for (const link of links.sort((a, b) => a.at_line - b.at_line))
    if (callable.has(link.kind) && link.at_line > 0 && link.ref !== start.ref && !byRef.has(link.ref))
      byRef.set(link.ref, link);
  return [...byRef.values()].filter(({ edge }) => edge !== 'imports').slice(0, mostSteps);
}

/** The symbol of exactly that name, or the one whose name consists of the words, outside of tests. */
async function symbolFor({ code }: AnswersContext, subject: string): Promise<SymbolRecord | undefined> {
  const store = await code();
  const isStart = ({ kind, path }: SymbolRecord) => callable.has(kind) && !isTestPath(path);
  const last = subject.split(/::|[.#]/).at(-1);
  const exact = store.find(subject).find((symbol) => isStart(symbol) && symbol.name === last);
  if (exact) return exact;
  const wanted = searchWords(subject);
  if (wanted.length < 2) return undefined;
  return store
    .search({ query: subject, limit: 20 })
    .filter(isStart)
    .find(({ name }) => {
      const own = searchWords(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
      return wanted.every((word) => own.includes(word)) && own.length <= wanted.length + 1;
    });
}
