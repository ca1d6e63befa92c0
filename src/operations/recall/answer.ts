import type { z } from 'zod';
import { quoted } from '../../base/terminal-text.ts';
import { citationLine, conflictLine, type searchAnswerSchema } from '../../engines/answers/index.ts';

type AnswerOutput = z.output<typeof searchAnswerSchema>;

/** Conflicts first, then each source with its label, then what the answer lacks. */
export function showAnswer(output: AnswerOutput, verbose: boolean): string {
  const open = output.conflicts.filter(({ resolved }) => !resolved);
  // A cached answer that a model wrote is still that answer.
  const isWritten = output.level === 3 || (output.cost.saved_tokens ?? 0) > 0;
  return [
    ...open.map(conflictLine),
    ...(output.hint && output.citations.length > 0 ? [output.hint] : []),
    ...(isWritten ? [output.answer, ''] : []),
    ...(output.citations.length > 0
      ? output.citations.map((each) => showCitation(each, verbose))
      : [output.answer]),
    ...(output.warnings ?? []),
    ...(verbose && output.would_add ? [`A model would add ${output.would_add}.`] : []),
  ].join('\n');
}

export const showCost = ({
  level,
  cost,
  tokens_used,
}: Pick<AnswerOutput, 'level' | 'cost' | 'tokens_used'>): string =>
  `level ${level} · ${cost.model_tokens} model tokens${cost.usd ? ` ($${cost.usd.toFixed(4)})` : ''} · ${tokens_used} tokens of sources`;

function showCitation(each: AnswerOutput['citations'][number], verbose: boolean): string {
  const lines = [
    verbose
      ? `${citationLine(each)}  (${[each.matched, `${each.trust_name} ${each.trust}`, each.state].filter(Boolean).join('; ')})`
      : citationLine(each),
    ...(each.current ? [`      replaced by ${each.current} (${each.superseded_by})`] : []),
    ...(each.warnings ?? [])
      .filter((warning) => !warning.includes(each.state))
      .map((warning) => `      ${warning}`),
    ...(each.snippet ? [quoted(each.snippet, '      ')] : []),
  ];
  return lines.join('\n');
}
