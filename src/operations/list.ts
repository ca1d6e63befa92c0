import { closest } from '../base/closest.ts';
import { SylkError } from '../base/errors.ts';
import { once } from '../base/once.ts';
import { asking } from './nouns/asking.ts';
import { keeping } from './nouns/keeping.ts';
import type { Noun } from './nouns/noun.ts';
import { running } from './nouns/running.ts';
import type { AnyOperation } from './operation.ts';
import { type InputReader, type ResolvedName, resolveName } from './resolve.ts';
import { spellingNames } from './spellings.ts';

/** In the order that help uses. */
export const nouns: Noun[] = [...asking, ...keeping, ...running];

/** Shown to every MCP client by default. The others are reached with `--toolsets` or `enable_toolset`. */
export const defaultTools = [
  'ask',
  'search',
  'search_all',
  'get_artifact',
  'get_provenance',
  'get_cochange',
  'get_symbol',
  'get_dependents',
  'get_area_context',
  'get_briefing',
  'store_entry',
  'get_next_task',
  'browse_skills',
  'load_skill',
  'reference_search',
  'check_changes',
];

const loaded = new Map<string, () => Promise<AnyOperation[]>>();

function operationsOf(noun: Noun): Promise<AnyOperation[]> {
  let load = loaded.get(noun.noun);
  if (!load) {
    load = once(async () => {
      const { operations } = await noun.load();
      return operations.map((definition) => ({ ...definition, toolset: noun.toolset ?? noun.noun }));
    });
    loaded.set(noun.noun, load);
  }
  return load();
}

export async function allOperations(): Promise<AnyOperation[]> {
  return (await Promise.all(nouns.map(operationsOf))).flat();
}

export const operationNames = (): string[] => nouns.flatMap((noun) => Object.keys(noun.verbs));

/** Finds an operation by its name or any spelling of it; `reader` is called where a spelling depends on an input. */
export async function resolveOperation(
  name: string,
  reader: InputReader,
): Promise<{ operation: AnyOperation; resolved: ResolvedName }> {
  const resolved = resolveName(name, reader);
  for (const noun of nouns) {
    if (!Object.hasOwn(noun.verbs, resolved.operation)) continue;
    const operation = (await operationsOf(noun)).find((candidate) => candidate.name === resolved.operation);
    if (operation) return { operation, resolved };
  }
  const near = closest(name, [...operationNames(), ...spellingNames]);
  throw new SylkError('NOT_FOUND', `Unknown operation ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: near ? `Did you mean ${near}?` : 'Run `sylk help` to list all commands.',
  });
}

export const findOperation = async (name: string, reader: InputReader = 'first'): Promise<AnyOperation> =>
  (await resolveOperation(name, reader)).operation;
