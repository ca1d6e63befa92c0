import type { App } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { SymbolRecord } from '../../src/stores/code/index.ts';

/** An entry that was remembered, and a question that the code answers. */
export interface Planted {
  ref: string;
  /** How it is wrong; nothing where it is true. */
  lie?: 'location' | 'kind' | 'parent' | 'removed' | 'package' | 'file';
  text: string;
  question: string;
  /** Where the truth is. */
  path: string;
}

/** Everything that a call answers, or an error. */
export async function call<T>(app: App, name: string, input: Record<string, unknown>): Promise<T> {
  // A person's word stays a person's word: what is planted is an agent's.
  const kind = name === 'store_entry' ? 'agent' : 'person';
  const outcome = await runOperation(app, { name, input, caller: { kind, name: 'lab' } });
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
  return outcome.output as T;
}

/** False and true statements about symbols of the repository, written as an agent would, and shared with everybody. */
export async function plant(app: App, count: { lies: number; truths: number }): Promise<Planted[]> {
  await call(app, 'index_repository', {});
  const symbols = await told(app);
  const paths = [...new Set(symbols.map(({ path }) => path))];
  const planted: Planted[] = [];
  for (const [at, symbol] of symbols.slice(0, count.lies).entries()) {
    const elsewhere =
      paths.find((path, n) => n > at % paths.length && path !== symbol.path) ?? 'src/elsewhere.ts';
    planted.push({ ...lieAbout(symbol, at, elsewhere), path: symbol.path, ref: '' });
  }
  for (const symbol of symbols.slice(count.lies, count.lies + count.truths))
    planted.push({
      ref: '',
      text: `\`${symbol.name}\` is in ${symbol.path}; its callers pass trimmed names, because padding broke an import once.`,
      question: `why do callers pass trimmed names to ${symbol.name}`,
      path: symbol.path,
    });
  for (const each of planted) each.ref = await remember(app, each.text);
  return planted;
}

/** Names that stand once in the code, so that one place is the truth. */
async function told(app: App): Promise<SymbolRecord[]> {
  const code = await app.code();
  const named = code
    .files()
    .filter(
      ({ path }) =>
        !/(?:^|[/_.-])(?:tests?|spec|fixtures?|examples?|benchmarks?|docs?)(?:[/_.-]|$)/i.test(path),
    )
    .flatMap(({ path }) => code.fileSymbols(path))
    .filter(({ kind, name }) => ['function', 'class', 'interface'].includes(kind) && name.length >= 4);
  const counts = Map.groupBy(named, ({ name }) => name.toLowerCase());
  return named.filter(
    ({ name }) => counts.get(name.toLowerCase())!.length === 1 && code.find(name).length === 1,
  );
}

function lieAbout(
  { name, kind }: SymbolRecord,
  at: number,
  elsewhere: string,
): Omit<Planted, 'ref' | 'path'> {
  const where = `where is ${name} defined`;
  const lies: Array<Omit<Planted, 'ref' | 'path'>> = [
    { lie: 'location', text: `\`${name}\` is defined in ${elsewhere}.`, question: where },
    {
      lie: 'removed',
      text: `We removed \`${name}\` last month, nothing of it is left.`,
      question: `is ${name} still there`,
    },
    {
      lie: 'kind',
      text: `\`${name}\` is ${kind === 'function' ? 'a class' : 'a function'}.`,
      question: `what is ${name}`,
    },
    { lie: 'parent', text: `${upper(name)} extends EventEmitter${at}.`, question: `what does ${name} do` },
    {
      lie: 'file',
      text: `\`${name}\` lives in package.json, note ${at}.`,
      question: `where do I read about ${name}`,
    },
  ];
  const chosen = lies[at % lies.length]!;
  // Only a type can be said to extend something.
  return chosen.lie === 'parent' && !/^[A-Z]/.test(name) ? lies[0]! : chosen;
}

const upper = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

async function remember(app: App, content: string): Promise<string> {
  const { entry } = await call<{ entry: { id: string } }>(app, 'store_entry', {
    content,
    category: 'insight',
  });
  await (await app.memory()).chronicle.promotion.promote(entry.id, 'person', 'lab');
  return `entry:${entry.id}`;
}
