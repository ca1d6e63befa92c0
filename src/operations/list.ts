import { closest } from '../base/closest.ts';
import { SylkError } from '../base/errors.ts';
import { once } from '../base/once.ts';
import defaultToolTable from './default-tools.json' with { type: 'json' };
import { asking } from './nouns/asking.ts';
import { keeping } from './nouns/keeping.ts';
import type { Noun } from './nouns/noun.ts';
import { running } from './nouns/running.ts';
import type { AnyOperation } from './operation.ts';
import { type InputReader, type ResolvedName, resolveName } from './resolve.ts';
import { spellingNames } from './spellings.ts';

/** In the order that help uses. */
export const nouns: Noun[] = [...asking, ...keeping, ...running];

/** Shown to every MCP client by default, under these names; `call_operation` reaches every other operation. */
export const defaultTools: Readonly<Record<string, { operation: string; about: string }>> = defaultToolTable;

const loaded = new Map<string, () => Promise<AnyOperation[]>>();

function operationsOf(noun: Noun): Promise<AnyOperation[]> {
  let load = loaded.get(noun.noun);
  if (!load) {
    load = once(async () => {
      const { operations } = await noun.load();
      return operations.map((definition) => ({ ...definition, toolset: toolsetOf(noun) }));
    });
    loaded.set(noun.noun, load);
  }
  return load();
}

export const toolsetOf = ({ toolset, noun }: Noun): string => toolset ?? noun;

/** The operations of the nouns that pass; all by default. */
export async function allOperations(wanted: (noun: Noun) => boolean = () => true): Promise<AnyOperation[]> {
  return (await Promise.all(nouns.filter(wanted).map(operationsOf))).flat();
}

export const operationNames = (): string[] => nouns.flatMap((noun) => Object.keys(noun.verbs));

export const listHint = 'Run `sylk help` to list all commands.';

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
  throw new SylkError('NOT_FOUND', `There is no command or operation ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: near ? `Did you mean ${near}?` : listHint,
  });
}

export const findOperation = async (name: string, reader: InputReader = 'first'): Promise<AnyOperation> =>
  (await resolveOperation(name, reader)).operation;
