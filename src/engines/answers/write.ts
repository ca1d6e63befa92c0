import { type CodeEvidence, verifyText } from '../claims/index.ts';
import type { AnsweredConflict, AnswerModel, SearchAnswer } from './answer.ts';
import { type Segment, segmentsOf, unmarkedSegments, unsupportedNames } from './mitigations/citations.ts';
import { buildPrompt, parseAnswer } from './mitigations/prompt.ts';
import type { Scored } from './mitigations/quality.ts';
import { lineOf, type Weighed, warningsOf } from './sources.ts';

export interface WriteRequest {
  text: string;
  included: Array<Scored<Weighed>>;
  conflicts: AnsweredConflict[];
  code: CodeEvidence;
  model: AnswerModel;
  signal?: AbortSignal;
}

type WrittenFields = Pick<SearchAnswer, 'answer' | 'cost' | 'segments' | 'inferences' | 'warnings'>;

/**
 * Level 3. What comes back is read for citations and marks, and passes the firewall like anything else that a model
 * says: an answer that the code refutes, that cites nothing, or whose source does not know what it is cited for, is shown
 * with a warning and never kept. What cites nothing counts as inference, marked or not.
 */
export async function write(
  request: WriteRequest,
): Promise<{ fields: WrittenFields; isTrustworthy: boolean }> {
  const { included, conflicts, code, model, signal } = request;
  const sources = included.map(({ item, quality }, at) => ({
    n: at + 1,
    description: lineOf(at + 1, item).replace(/^\[\d+\] /, ''),
    trust: item.trust.name,
    quality,
    warnings: warningsOf(item),
    content: item.card.snippet ?? item.facts.text,
  }));
  const prompt = buildPrompt(
    request.text,
    sources,
    conflicts.map((conflict) => ({ ...conflict, places: [] })),
  );
  const written = await model({ ...prompt, signal });
  const parsed = parseAnswer(written.text, included.length);
  const stated = written.text.replace(/\[INFERENCE\]:?/gi, '').replace(/\[\d+(?:, ?\d+)*\]/g, '');
  const checked = await verifyText(stated, code);
  const cited = segmentsOf(written.text, included.length);
  const unsupported = unsupportedNames(
    cited,
    sources.map(({ n, content, description }) => ({ n, text: `${description}\n${content}` })),
  );
  const warnings = [
    ...parsed.warnings,
    ...checked.contradictions.map(({ claim, finding }) => `⚠️ The code refutes “${claim}”: ${finding}`),
    ...(parsed.uncited ? ['⚠️ The answer cites no source: treat it as inference'] : []),
    ...parsed.unknownSources.map((n) => `⚠️ [${n}] is cited and does not exist`),
    ...unsupported.map(
      ({ reference, name }) => `⚠️ ${reference} is cited for “${name}” and does not mention it`,
    ),
  ];
  const segments: Segment[] = [
    ...cited,
    ...unmarkedSegments(
      written.text,
      sources.map(({ n, content }) => ({ n, text: content })),
    ),
  ];
  return {
    fields: {
      answer: written.text,
      cost: { model_tokens: written.tokens, usd: written.usd },
      segments,
      inferences: parsed.inferences.length > 0 ? parsed.inferences : undefined,
      warnings: warnings.length > 0 ? warnings : undefined,
    },
    isTrustworthy:
      checked.contradictions.length === 0 &&
      !parsed.uncited &&
      parsed.unknownSources.length === 0 &&
      unsupported.length === 0,
  };
}
