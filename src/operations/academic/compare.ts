import { z } from 'zod';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { operation } from '../operation.ts';
import {
  academic,
  card,
  findHere,
  findPassages,
  materialNote,
  nothing,
  numberer,
  passage,
  showCard,
  showPassage,
} from './material.ts';

export const compareApproaches = operation({
  name: 'compare_approaches',
  summary: 'What the references say about two to four approaches, side by side and criterion by criterion.',
  effect: 'read',
  ...academic,
  input: z.object({
    approaches: looseList(z.string().min(1)).pipe(z.array(z.string()).min(2).max(4)),
    context: z.string().max(500).optional().describe('such as "high-throughput API"'),
    criteria: looseList(z.string()).default([]),
  }),
  output: z.object({
    note: z.string(),
    approaches: z.array(
      z.object({
        approach: z.string(),
        findings: z.array(passage),
        criteria: z.array(
          z.object({ criterion: z.string(), findings: z.array(z.number()).describe('numbers of passages') }),
        ),
      }),
    ),
  }),
  examples: [{ approaches: ['REST', 'gRPC'], context: 'internal services', criteria: ['latency'] }],
  command: { positionals: ['approaches'], rest: true },
  render: ({ note, approaches }) =>
    approaches.every(({ findings }) => findings.length === 0)
      ? nothing
      : [
          note,
          ...approaches.flatMap(({ approach, findings, criteria }) => [
            `── ${approach}`,
            ...findings.map(showPassage),
            ...criteria.map(
              ({ criterion, findings: numbers }) =>
                `  ${criterion}: ${numbers.map((n) => `[${n}]`).join(' ') || 'nothing found'}`,
            ),
          ]),
        ].join('\n'),
  run: async ({ approaches, context: around, criteria }, context) => {
    const number = numberer();
    const compared = [];
    for (const approach of approaches) {
      const question = around ? `${approach} for ${around}` : approach;
      const findings = number(await findPassages(context, question, 5));
      const judged = [];
      for (const criterion of criteria.slice(0, 6)) {
        const found = number(await findPassages(context, `${approach} ${criterion}`, 2));
        for (const hit of found) if (!findings.some(({ n }) => n === hit.n)) findings.push(hit);
        judged.push({ criterion, findings: found.map(({ n }) => n) });
      }
      compared.push({ approach, findings, criteria: judged });
    }
    return { note: materialNote, approaches: compared };
  },
});

const practice = z.object({
  topic: z.string(),
  note: z.string(),
  theory: z.array(passage),
  practice: z.array(card),
  gaps: z.array(z.string()).describe('named in the references, not found in the code that answers'),
});

export const synthesizeWithCodebase = operation({
  name: 'synthesize_with_codebase',
  summary:
    'Theory beside practice: what the references recommend and how this repository does it, with the gaps between.',
  effect: 'read',
  ...academic,
  input: z.object({ topic: z.string().min(1).max(1000), show_gaps: looseBoolean.default(false) }),
  output: practice,
  examples: [{ topic: 'retry logic' }],
  command: { positionals: ['topic'], rest: true },
  render: ({ note, theory, practice: here, gaps }) =>
    [
      note,
      '── what the references say',
      ...(theory.length > 0 ? theory.map(showPassage) : [nothing]),
      '── how it is done here',
      ...(here.length > 0 ? here.map(showCard) : ['  nothing found in the code']),
      ...(gaps.length > 0 ? [`── not found here: ${gaps.join(', ')}`] : []),
    ].join('\n'),
  run: async ({ topic, show_gaps }, context) => {
    const theory = numberer()(await findPassages(context, topic, 5));
    const here = await findHere(context, topic, ['code'], 5);
    return {
      topic,
      note: materialNote,
      theory,
      practice: here,
      gaps: show_gaps ? gapsBetween(theory, here) : [],
    };
  },
});

/** Names that the references set in code and that no answer from the code mentions. */
function gapsBetween(
  theory: Array<{ text: string }>,
  here: Array<{ title: string; snippet?: string | undefined }>,
): string[] {
  const named = theory.flatMap(({ text }) =>
    [...text.matchAll(/`([A-Za-z_][\w.:-]{2,40})(?:\(\))?`/g)].map(([, name]) => name!),
  );
  const practised = here
    .map(({ title, snippet }) => `${title} ${snippet ?? ''}`)
    .join(' ')
    .toLowerCase();
  return [...new Set(named)].filter((name) => !practised.includes(name.toLowerCase())).slice(0, 20);
}

export const designProposal = operation({
  name: 'design_proposal',
  summary:
    'Everything a design proposal stands on, gathered: what the references say, how the code does it, what was decided before.',
  effect: 'read',
  ...academic,
  input: z.object({ topic: z.string().min(1).max(1000), constraints: looseList(z.string()).default([]) }),
  output: practice.omit({ gaps: true }).extend({
    constraints: z.array(z.string()),
    history: z.array(card),
    sections: z.array(z.string()).describe('what a proposal should answer, in order'),
  }),
  examples: [{ topic: 'caching layer' }],
  command: { positionals: ['topic'], rest: true },
  run: async ({ topic, constraints }, context) => ({
    topic,
    note: materialNote,
    constraints,
    theory: numberer()(await findPassages(context, [topic, ...constraints].join(' '), 8)),
    practice: await findHere(context, topic, ['code'], 5),
    history: await findHere(context, topic, ['commits', 'chronicle'], 5),
    sections: [
      'Problem',
      'Constraints',
      'Options, each with sources',
      'How the code stands today',
      'Proposal',
      'Risks and open questions',
    ],
  }),
});
