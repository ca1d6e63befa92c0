import { z } from 'zod';
import type { App } from '../app.ts';
import { SylkError } from '../base/errors.ts';
import { looseBoolean } from '../base/loose-input.ts';
import type { SourceFailure } from '../engines/indexing/index.ts';
import type { CompileReport } from '../stores/code/index.ts';
import { reporting } from './calls.ts';
import { operation } from './operation.ts';

export const indexRepository = operation({
  name: 'index_repository',
  summary: 'Update the history and code indexes now, or rebuild them.',
  effect: 'derive',
  idempotent: true,
  input: z.object({
    only: z.enum(['history', 'code']).optional().describe('only this index'),
    links: looseBoolean.default(true).describe('wait until the compiler has checked the links of code'),
    rebuild: looseBoolean.default(false).describe('delete the index and read everything again'),
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
  render: ({ items }, { verbose }) =>
    items
      .map(({ source, summary, detail }) =>
        verbose ? `${source}: ${summary} ${JSON.stringify(detail ?? {})}` : `Indexed ${summary}`,
      )
      .join('\n'),
  run: async function* ({ only, rebuild, links }, { app, caller, signal }) {
    requireKeptState(app);
    if (rebuild && caller.kind !== 'person')
      throw new SylkError('DENIED', 'A rebuild is a person’s to start.', {
        hint: 'Index without rebuild, or ask the person to run `sylk index --rebuild`.',
      });
    const indexing = await app.indexing();
    const { items, problems } = yield* reporting((progress) =>
      indexing.run({ only, rebuild, signal, progress }),
    );
    const shown = items.map(({ changed: _changed, ...item }) => item);
    if (problems.length > 0) throw indexFailure(problems, shown);
    if (links && only !== 'history') {
      const checked = yield* reporting((progress) => indexing.checkLinks({ signal, progress }));
      if (checked && (checked.scripts > 0 || checked.served))
        shown.push({ source: 'links', summary: linkSummary(checked) });
    }
    // Links the reference topics of packages that the code imports now.
    await (await app.knowledge()).libraries.follow();
    return { items: shown };
  },
});

const linkSummary = ({ scripts, covered, served = [], problem }: CompileReport): string =>
  [
    scripts > 0 ? `${covered} of ${scripts} TypeScript and JavaScript files checked by the compiler` : '',
    ...served.map(
      ({ language, by, read, files }) =>
        `open calls of ${read} of ${files} files of ${language} followed by ${by}`,
    ),
    problem ?? '',
  ]
    .filter(Boolean)
    .join('; ');

/** An in-memory index helps a question, but a caller who asks to build an index needs one that is saved. */
function requireKeptState(app: App): void {
  app.prepareDirectory();
  const { isKept, readOnly } = app.repository.state;
  if (!isKept)
    throw new SylkError('UNAVAILABLE', `The index cannot be saved: ${readOnly}.`, {
      hint: 'Set SYLK_DIR to a writable directory.',
    });
}

/** A failed source fails the command; the report still lists what was indexed. */
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
  const said = [...causes].map(([message, sources]) => `Indexing failed for ${sources}: ${message}`);
  if (whole.length > 0) said.push(`Indexed: ${whole.join(', ')}.`);
  const [first] = problems;
  return new SylkError(first?.code ?? 'UNAVAILABLE', said.join(' '), {
    hint: [...new Set(problems.map(({ hint }) => hint ?? ''))].filter(Boolean).join(' '),
    data: { items, problems },
  });
}
