import type { z } from 'zod';
import { quoted } from '../../base/terminal-text.ts';
import { conflictLine, type searchAnswerSchema } from '../../engines/answers/index.ts';

type AnswerOutput = z.output<typeof searchAnswerSchema>;

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
