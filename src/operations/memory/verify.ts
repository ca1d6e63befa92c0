import { z } from 'zod';
import { entrySchema } from '../../stores/chronicle/index.ts';
import { openCode } from '../open-index.ts';
import { operation } from '../operation.ts';
import { reading, sessionInput } from './shared.ts';

const checked = entrySchema
  .pick({ id: true, title: true, category: true, verification: true, needs_review: true })
  .extend({ warnings: z.array(z.string()) });

/** Code changes after an entry was written; this checks the entry again. */
const verifyEntries = operation({
  name: 'verify_entries',
  summary:
    'Check remembered entries against the current code: entries that the code refutes are flagged, listed as conflicts and wait for review. Nothing is changed or deleted.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    limit: z.coerce.number().int().min(1).max(5000).default(500).describe('only the newest this many'),
    ...sessionInput,
  }),
  output: z.object({
    checked: z.number(),
    verified: z.number().describe('confirmed by the code'),
    doubtful: z.number(),
    entries: z.array(checked).describe('entries with evidence against them'),
  }),
  examples: [{ limit: 20 }],
  render: ({ checked: all, verified, doubtful, entries }) =>
    [
      `${all} checked: ${verified} confirmed by the code, ${doubtful} doubtful`,
      ...entries.map(({ id, title, warnings }) =>
        [`${id}  ${title}`, ...warnings.map((each) => `    ⚠️ ${each}`)].join('\n'),
      ),
    ].join('\n'),
  run: async (input, context) => {
    await openCode(context);
    const { memory, caller, session } = await reading(context, input);
    const results = await memory.verify(memory.sessions.viewerOf(caller, session), input.limit);
    const doubtful = results.filter(({ entry }) => entry.needs_review);
    return {
      checked: results.length,
      verified: results.filter(({ entry }) => entry.verification === 'against_code' && !entry.needs_review)
        .length,
      doubtful: doubtful.length,
      entries: doubtful
        .map(({ entry, warnings }) => ({ ...entry, warnings }))
        .map((each) => checked.parse(each)),
    };
  },
});

export const verifyOperations = [verifyEntries];
