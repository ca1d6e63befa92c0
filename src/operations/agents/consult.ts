import { z } from 'zod';
import { depths, wants } from '../../engines/agents/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { openRecall } from '../recall/shared.ts';
import { consulted, consultRole } from './consultation.ts';

export const consultOperation = operation({
  name: 'consult',
  summary:
    'Asks the Librarian (this code), the Archivalist (what was done before) or the Academic (references) a question that takes more than one look. A model of yours answers and stores what it found; without one the memory answers.',
  effect: 'write',
  live: 'lines',
  input: z.object({
    role: z.enum(consulted).describe('who is asked'),
    question: z.string().min(1).max(20_000),
    want: z
      .enum(wants)
      .default('answer')
      .describe('compare: approaches; gaps: theory beside this code; facts: one in each line'),
    depth: z.enum(depths).default('standard').describe('how far it looks: quick, standard or deep'),
    model: z.string().optional().describe('provider/model or script:FILE; default: the model of the role'),
    ...sessionInput,
  }),
  output: z.object({
    role: z.enum(consulted),
    answer: z.string(),
    by: z.enum(['model', 'memory']).describe('memory: no model wrote it'),
    id: z.string().optional().describe('of the conversation: `sylk transcript ID`'),
    model: z.string().optional(),
    cost: z.number().describe('US dollars'),
    entry: z.string().optional().describe('the entry in which the answer is stored'),
    files: z.array(z.string()).describe('files that the answer names'),
    warnings: z.array(z.string()),
    notes: z.array(z.string()),
  }),
  examples: [{ role: 'librarian', question: 'where do users log in?' }],
  command: { positionals: ['role', 'question'], rest: true },
  render: ({ answer, warnings, notes, id, entry, files, model, cost }) =>
    [
      answer,
      ...warnings.map((line) => `warning: ${line}`),
      ...notes.map((line) => `note: ${line}`),
      ...(entry
        ? [`Stored as ${entry}${files.length > 0 ? `, linked to ${files.slice(0, 8).join(', ')}` : ''}.`]
        : []),
      ...(id ? [`${model}, $${cost.toFixed(4)}. How it came to be: sylk transcript ${id}`] : []),
    ].join('\n'),
  run: async (input, context) => {
    await openRecall(context);
    return { role: input.role, ...(await consultRole(context, input)) };
  },
});
