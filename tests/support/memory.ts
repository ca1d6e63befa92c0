import { onTestFinished } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { type Clock, fixedClock } from '../../src/base/clock.ts';
import { SylkError } from '../../src/base/errors.ts';
import { runOperation } from '../../src/operations/run.ts';
import { type TestRepository, testRepository } from './repository.ts';

export interface Conversation {
  app: App;
  call<T = Record<string, never>>(name: string, input?: unknown): Promise<T>;
}

/** Several callers on one repository, each with its own session; time is ours. */
export function conversations(
  clock: Clock & { advance(milliseconds: number): void } = fixedClock(),
  repository: TestRepository = testRepository(),
) {
  const open = (kind: 'person' | 'agent', name: string): Conversation => {
    const app = openApp({ directory: repository.path, clock });
    onTestFinished(() => app.close());
    return {
      app,
      call: async <T>(operation: string, input: unknown = {}) => {
        const outcome = await runOperation(app, { name: operation, input, caller: { kind, name } });
        if (outcome.ok) return outcome.output as T;
        const { code, message, hint, data } = outcome.error;
        throw new SylkError(code, message, { ...(hint ? { hint } : {}), ...(data ? { data } : {}) });
      },
    };
  };
  return {
    repository,
    clock,
    agent: (name: string) => open('agent', name),
    person: (name = 'ada') => open('person', name),
  };
}
