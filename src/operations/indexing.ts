import { z } from 'zod';
import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { looseBoolean } from '../base/loose-input.ts';
import type { SourceFailure } from '../engines/indexing/index.ts';
import { reporting } from './calls.ts';
import { operation } from './operation.ts';

export const indexRepository = operation({
  name: 'index_repository',
  summary: 'Brings the indexes of history and code up to date now, or builds them anew.',
  effect: 'derive',
  idempotent: true,
  input: z.object({
    only: z.enum(['history', 'code']).optional().describe('one of the indexes'),
    rebuild: looseBoolean.default(false).describe('throw away what there is and read everything again'),
  }),
  output: z.object({
    items: z.array(
      z.object({
        source: z.string(),
        summary: z.string(),
        detail: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
  examples: [{}, { only: 'code' }],
  render: ({ items }) => items.map((one) => `${one.source}: ${one.summary}`).join('\n'),
  run: async function* ({ only, rebuild }, { app, signal }) {
    requireKeptState(app);
    const indexing = await app.indexing();
    const { items, problems } = yield* reporting((progress) =>
      indexing.run({ only, rebuild, signal, progress }),
    );
    const shown = items.map(({ changed: _changed, ...item }) => item);
    if (problems.length > 0) throw indexFailure(problems, shown);
    // What documents the packages that the code imports now.
    await (await app.knowledge()).libraries.follow();
    return { items: shown };
  },
});

/** An index that goes with this process is of use to a question, not to whoever asks for an index. */
function requireKeptState(app: App): void {
  app.prepareDirectory();
  const { isKept, readOnly } = app.repository.state;
  if (!isKept)
    throw new SylkError('UNAVAILABLE', `The index can't be kept anywhere: ${readOnly}.`, {
      hint: 'Set SYLK_DIR to a directory that you can write.',
    });
}

/** A part that failed fails the command; what was done besides is told with it. */
function indexFailure(problems: SourceFailure[], items: Array<{ source: string }>): SylkError {
  const causes = new Map(problems.map(({ source, message }) => [message, source]));
  for (const [message] of causes)
    causes.set(
      message,
      problems.flatMap((one) => (one.message === message ? [one.source] : [])).join(' and '),
    );
  const whole = items
    .map(({ source }) => source)
    .filter((source) => !problems.some((one) => one.source === source));
  const said = [...causes].map(([message, sources]) => `Indexing of ${sources} failed: ${message}`);
  if (whole.length > 0) said.push(`Up to date: ${whole.join(', ')}.`);
  const [first] = problems;
  return new SylkError(first?.code ?? 'UNAVAILABLE', said.join(' '), {
    hint: [...new Set(problems.map(({ hint }) => hint ?? ''))].filter(Boolean).join(' '),
    data: { items, problems },
  });
}
