import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allOperations, findOperation, operationNames } from '../../src/operations/list.ts';
import { isForPersons } from '../../src/operations/operation.ts';
import { isIgnored, knownInput, readerOf, resolveInput, resolveName } from '../../src/operations/resolve.ts';
import { runOperation } from '../../src/operations/run.ts';
import {
  clientExtras,
  inputSpellings,
  operationInputs,
  type Spelling,
  spellingNames,
  spellingOf,
} from '../../src/operations/spellings.ts';
import { matchVerb } from '../../src/surfaces/cli/verbs.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Published {
  command?: string;
  positionals?: string[];
  inputs: string[];
  examples: Array<Record<string, unknown>>;
  /** What each example answered: `ok`, or the code of its error. Absent for what only a person may run. */
  outcomes?: string[];
}

const file = join(import.meta.dirname, '../../fixtures/published-names.json');
const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Published>;
const operations = new Map((await allOperations()).map((operation) => [operation.name, operation]));

/** Every operation that a row leads to, with the row. */
const targets = (name: string): Spelling[] => {
  const row = spellingOf(name);
  if (!row) return [{ operation: name }];
  if (!('choose' in row)) return [row];
  return Object.values(row.of).map((target) => (typeof target === 'string' ? { operation: target } : target));
};

test('every name, input and command that was published is still understood', () => {
  const lost: string[] = [];
  for (const [name, { inputs, command, positionals = [] }] of Object.entries(published)) {
    const row = spellingOf(name);
    const readers =
      row && 'choose' in row
        ? Object.keys(row.of).map((value) => readerOf({ [row.choose]: value }))
        : [readerOf({})];
    const resolved = readers.map((reader) => resolveName(name, reader));
    for (const { operation } of resolved) if (!operations.has(operation)) lost.push(`${name} → ${operation}`);
    const isAccepted = (input: string) =>
      resolved.some((resolution) => {
        const target = operations.get(resolution.operation);
        return (
          target &&
          (isIgnored(target, resolution, input) ||
            knownInput(target, resolution.inputName(input)) !== undefined)
        );
      });
    for (const input of [...inputs, ...positionals])
      if (!isAccepted(input)) lost.push(`${name}: input ${input}`);
    if (!command) continue;
    const match = matchVerb(command.split(' '));
    const reached =
      match && targets(match.name).map((target) => resolveName(target.operation, 'first').operation);
    if (match?.verb !== command || !resolved.some(({ operation }) => reached?.includes(operation)))
      lost.push(`sylk ${command}`);
  }
  expect(lost).toEqual([]);
});

test('hooks are installed by the name of the client alone, too', () => {
  const said = (command: string) => {
    const { name = '', rest } = matchVerb(command.split(' ')) ?? {};
    return [resolveName(name, 'first').operation, rest];
  };
  expect(said('hooks install claude-code')).toEqual(['install_client_hooks', ['claude-code']]);
  expect(said('hooks uninstall codex')).toEqual(['install_client_hooks', ['codex']]);
  expect(said('hooks install git')).toEqual(['install_git_hooks', []]);
});

test('every row of the table leads to an operation that has the inputs it names', () => {
  for (const name of spellingNames) {
    expect(operationNames(), `${name} is a name and a spelling`).not.toContain(name);
    for (const target of targets(name)) {
      const { operation, inputName } = resolveName(target.operation, 'first');
      const found = operations.get(operation);
      expect(found, `${name} → ${operation}`).toBeDefined();
      const ignored = spellingOf(name)?.ignore ?? [];
      const renamed = Object.entries(target.rename ?? {}).filter(([input]) => !ignored.includes(input));
      for (const input of [
        ...Object.keys(target.set ?? {}),
        ...(target.unset ?? []),
        ...renamed.map(([, to]) => to),
      ])
        expect(found && knownInput(found, inputName(input)), `${name}: ${input}`).toBeDefined();
    }
  }
  for (const [name, inputs] of Object.entries(operationInputs))
    for (const input of Object.values(inputs).filter((field) => field !== null))
      expect(Object.keys(operations.get(name)?.input.shape ?? {}), name).toContain(input);
  const fields = new Set([...operations.values()].flatMap(({ input }) => Object.keys(input.shape)));
  for (const field of Object.values(inputSpellings)) expect(fields).toContain(field);
});

test('every example that was published answers as it did', async () => {
  const root = fixtureRepository(join(temporaryDirectory('spellings'), 'shop')).path;
  const workspace = createWorkspace({
    directories: [root],
    env: { ...process.env, SYLK_HOME: join(root, '..', 'home') },
    flags: [],
  });
  const call = (name: string, input: unknown) =>
    runOperation(workspace.app(), { name, input, caller: { kind: 'agent', name: 'test' } });
  try {
    await call('index_repository', {});
    const changed: string[] = [];
    for (const [name, { examples, outcomes }] of Object.entries(published))
      for (const [at, example] of examples.entries()) {
        const operation = await findOperation(name, readerOf(example));
        const { input } = resolveInput(operation, resolveName(name, readerOf(example)), example);
        if (!operation.input.safeParse(input).success) changed.push(`${name} ${JSON.stringify(example)}`);
        if (isForPersons(operation)) continue;
        const outcome = await call(name, example);
        const answered = outcome.ok ? 'ok' : outcome.error.code;

        if (answered !== outcomes?.[at])
          changed.push(
            `${name} ${JSON.stringify(example)}: ${JSON.stringify(outcome).slice(0, 300)}, was ${outcomes?.[at]}`,
          );
      }
    expect(changed).toEqual([]);
  } finally {
    await workspace.close();
  }
});

test('an unknown input is refused with the nearest one, and what a client adds is dropped with a note', async () => {
  const operation = await findOperation('get_cochange');
  const resolved = resolveName('get_cochange', 'first');
  expect(() => resolveInput(operation, resolved, { pth: 'a' })).toThrow(
    'Unknown input "pth". Did you mean "path"?',
  );
  for (const extra of Object.keys(clientExtras))
    expect(resolveInput(operation, resolved, { path: 'a', [extra]: 1 })).toEqual({
      input: { path: 'a' },
      notes: [`Ignored unknown input "${extra}".`],
    });
});
