import { type App, openApp } from '../../src/app.ts';
import { findOperation } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';

/** A person reads what the terminal would show and answers yes to exactly that. Answers what was shown. */
export async function readAndTrust(app: App, name = 'trust_repository', input: object = {}): Promise<string> {
  const operation = await findOperation(name);
  const about = await operation.consent?.(operation.input.parse(input), app);
  const answered = { ...input, ...about?.input };
  const outcome = await runOperation(app, { name, input: answered, caller: { kind: 'person', name: 'ada' } });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return about?.shown ?? '';
}

/** Trusts everything that acts in the repository at this place. */
export async function trustRepository(directory: string, env: NodeJS.ProcessEnv): Promise<void> {
  const app = openApp({ directory, env });
  try {
    await readAndTrust(app);
  } finally {
    await app.close();
  }
}
