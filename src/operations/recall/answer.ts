import { z } from 'zod';
import { quoted } from '../../base/terminal-text.ts';
import { conflictLine } from '../../engines/answers/index.ts';
import { notesOutput } from './shared.ts';

const citation = z.object({
  n: z.number(),
  ref: z.string(),
  domain: z.string(),
  place: z.string(),
  reason: z.string(),
  trust: z.number().describe('0–100, code is 100'),
  trust_name: z.string(),
  freshness: z.number(),
  state: z.string(),
  quality: z.number(),
  updated: z.string().optional(),
  snippet: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  superseded_by: z.string().optional(),
  current: z.string().optional(),
});

const conflict = z.object({
  kind: z.enum(['temporal', 'source_mismatch', 'semantic']),
  subject: z.string(),
  left: z.string(),
  right: z.string(),
  description: z.string(),
  resolution: z.string(),
  winner: z.string(),
  reason: z.string(),
  id: z.string().optional(),
  resolved: z.boolean(),
});

export const answerOutput = z.object({
  answer: z.string(),
  status: z.enum(['ok', 'no_matches']),
  level: z.number().describe('1 cached, 2 from what is stored, 3 written by a model'),
  intent: z.string(),
  subject: z.string(),
  cost: z.object({ model_tokens: z.number(), saved_tokens: z.number().optional() }),
  tokens_used: z.number(),
  citations: z.array(citation),
  sources: z.array(z.string()).describe('a footnote for each citation'),
  conflicts: z.array(conflict).describe('sources that contradict each other, and which wins'),
  segments: z.array(
    z.object({ text: z.string(), start: z.number(), end: z.number(), reference: z.string() }),
  ),
  sufficient: z.boolean().describe('false: see would_add'),
  would_add: z.string().optional().describe('what a model would add'),
  confidence: z.number(),
  inferences: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
  also_exists_in: z.array(z.string()).optional(),
  suggestions: z.array(z.string()).optional(),
  hint: z.string().optional(),
  notes: notesOutput,
});

type AnswerOutput = z.output<typeof answerOutput>;

/** Conflicts first, then each source with its label, then what the answer cost and lacks. */
export function showAnswer(output: AnswerOutput): string {
  const open = output.conflicts.filter(({ resolved }) => !resolved);
  return [
    ...open.map(conflictLine),
    ...(output.hint && output.citations.length > 0 ? [output.hint] : []),
    ...(output.level === 3 ? [output.answer, ''] : []),
    ...(output.citations.length > 0 ? output.citations.map(showCitation) : [output.answer]),
    ...(output.warnings ?? []),
    ...(output.would_add ? [`These are the sources; a model would add ${output.would_add}.`] : []),
    showCost(output),
  ].join('\n');
}

export const showCost = ({
  level,
  cost,
  tokens_used,
}: Pick<AnswerOutput, 'level' | 'cost' | 'tokens_used'>): string =>
  `level ${level} · ${cost.model_tokens} model tokens · ${tokens_used} tokens of sources`;

function showCitation(each: AnswerOutput['citations'][number]): string {
  const label = `${each.trust_name} ${each.trust}, ${each.state}`;
  const lines = [
    `[${each.n}] ${each.place} — ${each.reason} (${label})`,
    ...(each.current ? [`      replaced by ${each.current} (${each.superseded_by})`] : []),
    ...(each.warnings ?? [])
      .filter((warning) => !warning.includes(each.state))
      .map((warning) => `      ${warning}`),
    ...(each.snippet ? [quoted(each.snippet, '      ')] : []),
  ];
  return lines.join('\n');
}
