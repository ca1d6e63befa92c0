import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allOperations, nouns } from '../../src/operations/list.ts';
import type { AnyOperation } from '../../src/operations/operation.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { inputFlags } from '../../src/surfaces/cli/input-flags.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** An example of an operation as somebody would type it. */
function typed(operation: AnyOperation, verb: string, example: Record<string, unknown>): string[] {
  const words = verb.split(' ');
  for (const { field, flag, kind } of inputFlags(operation)) {
    const value = example[field];
    if (value === undefined) continue;
    if (kind === 'switch') words.push(value ? flag : flag.replace('--', '--no-'));
    else words.push(flag, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return words;
}

test('every command, typed with flags and piped, writes JSON or nothing to standard output and no escape anywhere', async () => {
  const repository = fixtureRepository();
  const env = { ...process.env, SYLK_HOME: join(temporaryDirectory('home'), '.sylk') };
  const verbs = new Map(nouns.flatMap((noun) => Object.entries(noun.verbs)));
  const run = async (args: string[]) => {
    let [out, err] = ['', ''];
    const io = {
      out: (text: string) => {
        out += text;
      },
      err: (text: string) => {
        err += text;
      },
    };
    const code = await runCli(args, { ...io, env, cwd: repository.path, terminal: false, colour: false });
    return { code, out, err };
  };
  await run(['index', '--quiet']);
  for (const operation of await allOperations()) {
    const verb = verbs.get(operation.name);
    if (
      !verb ||
      operation.effect === 'decide' ||
      operation.destructive ||
      operation.name === 'uninstall_sylk'
    )
      continue;
    const args = typed(operation, verb, operation.examples[0] ?? {});
    const { code, out, err } = await run([...args, '--json', '--no-input', '--quiet']);
    const label = `sylk ${args.join(' ')} → ${code}\n${out.slice(0, 300)}\n${err.slice(0, 300)}`;
    // 1 is an answer that reports a failure.
    expect([0, 1, 2, 3, 4, 5, 6], label).toContain(code);
    expect(`${out}${err}`.includes('\x1b'), label).toBe(false);
    if (code <= 1) expect(() => JSON.parse(out), label).not.toThrow();
    else {
      expect(out, label).toBe('');
      // A flag that the command does not know would be a defect of the command line, not of the example.
      expect(err, label).not.toMatch(/Unknown flag|Unexpected word|Unknown command/);
    }
  }
});
