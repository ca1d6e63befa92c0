import { reportOf } from '../../base/errors.ts';
import { idOf, isRefOf } from '../../base/ref.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Answer, Found } from './answer.ts';
import { citationOf, concerns, plainAnswer } from './compose.ts';
import { type Judged, judge } from './judge.ts';
import { type MitigationParts, mitigate, withRecords } from './mitigate.ts';
import { segmentsOf } from './mitigations/citations.ts';
import { defaultQuality, type Scored, selectWithin } from './mitigations/quality.ts';
import { nearestOnly } from './nearest.ts';
import { ordered } from './order.ts';
import { lineOf, type Weighed } from './sources.ts';
import { isSufficient, wouldAdd } from './sufficient.ts';
import { type AnswerModel, write } from './write.ts';

/** A question as it was classified; what else belongs to it is for the cache. */
export interface Classified {
  intent: string;
  subject: string;
}

/** Answers that were given before. `mark` is taken before an answer is made, and handed back with it. */
export interface AnswerShelf<Question, Mark> {
  look(question: Question): Promise<{ hit: true; answer: Answer; savedTokens: number } | { hit: false }>;
  mark(question: Question): Promise<Mark>;
  keep(
    mark: Mark,
    made: { answer: Answer; empty: boolean; evidence: { files: string[]; refs: string[] }; tokens: number },
  ): Promise<unknown>;
}

export interface AskOptions {
  tokenBudget?: number;
  thoroughness?: 'quick' | 'moderate' | 'thorough';
  domains?: string[];
  path?: string;
  /** Whose own entries may answer besides what is shared. */
  session?: string;
  model?: AnswerModel;
  signal?: AbortSignal;
}

export interface ResolverParts<Question extends Classified, Mark> extends MitigationParts {
  find(text: string, options: AskOptions): Promise<Found>;
  /** A file of the working tree. */
  read(path: string): Promise<string | undefined>;
  cache?: AnswerShelf<Question, Mark>;
}

const defaultBudget = 1000;

/** Level 1 what was answered before, level 2 what is stored, level 3 what a model writes from it. */
export function createResolver<Question extends Classified, Mark>(parts: ResolverParts<Question, Mark>) {
  return {
    ask: async (text: string, question: Question, options: AskOptions = {}): Promise<Answer> => {
      const known = await parts.cache?.look(question);
      if (known?.hit)
        return { ...known.answer, level: 1, cost: { model_tokens: 0, saved_tokens: known.savedTokens } };
      const mark = await parts.cache?.mark(question);
      const { answer, trustworthy, tokens } = await resolve(parts, text, question, options);
      if (parts.cache && mark !== undefined && trustworthy)
        await parts.cache.keep(mark, {
          answer,
          empty: answer.citations.length === 0,
          evidence: evidenceOf(answer),
          // What a reader is shown is read again; only what a model was paid for is saved.
          tokens,
        });
      return answer;
    },
    /** The same judgement for what somebody else found. */
    judge: (found: Judged, viewer?: string) => judge(parts, found, viewer),
  };
}

/** A few words that ask nothing: they are looked for as they are. */
const areBareWords = (text: string): boolean => /^[^\s?]+(?:\s+[^\s?]+){0,4}$/.test(text.trim());

const evidenceOf = ({ citations }: Answer) => ({
  files: citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [idOf(ref)] : [])),
  refs: citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [] : [ref])),
});

async function resolve<Question extends Classified, Mark>(
  parts: ResolverParts<Question, Mark>,
  text: string,
  { intent, subject }: Question,
  options: AskOptions,
): Promise<{ answer: Answer; trustworthy: boolean; tokens: number }> {
  const found = await parts.find(text, options);
  const code = await parts.code();
  const { weighed, conflicts, pressing } = await mitigate(parts, found.results, code, options.session);
  const answered = await withRecords(parts, conflicts);
  const open = answered.filter(({ resolved }) => !resolved).length;
  const budget = options.tokenBudget ?? defaultBudget;
  const selected = await select(ordered(weighed, intent, pressing), budget);
  const sufficient = isSufficient(intent, selected.scored, open);
  const included = selected.scored.filter((each) => each.included);
  const citations = included.map(citationOf);
  const shown = answered.filter((conflict) => concerns(conflict, citations));
  const filesOnly = intent === 'LOCATE';
  const nearest =
    citations.length > 0 && (filesOnly || areBareWords(text))
      ? await nearestOnly(filesOnly ? subject : text, citations, parts.read, { filesOnly })
      : undefined;
  const hint = nearest?.line ?? found.hint;
  const base = {
    status: citations.length > 0 ? ('ok' as const) : ('no_matches' as const),
    intent,
    subject,
    citations,
    sources: included.map(({ item }, at) => lineOf(at + 1, item)),
    conflicts: shown,
    sufficient,
    confidence: Math.min(found.confidence, nearest?.share ?? 1),
    tokens_used: selected.tokens,
    also_exists_in: found.also_exists_in,
    suggestions: found.suggestions,
    hint: hint || undefined,
  };
  const notes = [...found.notes];
  if (!sufficient && options.model && citations.length > 0) {
    try {
      const written = await write({
        text,
        included,
        conflicts: shown,
        code,
        model: options.model,
        signal: options.signal,
      });
      return {
        answer: { ...base, ...written.fields, level: 3, notes },
        trustworthy: written.trustworthy && notes.length === 0,
        tokens: written.fields.cost.model_tokens,
      };
    } catch (error) {
      options.signal?.throwIfAborted();
      notes.push(`the model did not answer (${reportOf(error).message}); these are the sources`);
    }
  }
  const answer = plainAnswer(citations, shown, hint);
  const more = sufficient ? undefined : wouldAdd(intent, open, citations.length);
  return {
    answer: {
      ...base,
      level: 2,
      answer,
      cost: { model_tokens: 0 },
      segments: segmentsOf(answer, citations.length),
      notes,
      ...(more ? { would_add: more } : {}),
    },
    // What was made without vectors, or without a model that should have written, gets better by itself; what is
    // disputed changes as soon as somebody settles it.
    trustworthy: notes.length === 0 && open === 0,
    tokens: 0,
  };
}

/** Real tokens of what is shown, and nothing beyond the budget. */
async function select(
  candidates: Weighed[],
  budget: number,
): Promise<{ scored: Array<Scored<Weighed>>; tokens: number }> {
  const count = await loadTokenCounter();
  const sized = candidates.map((each, at) => ({
    ...each,
    tokens: count(JSON.stringify(citationOf({ item: each, quality: 0.5 }, at))),
  }));
  return selectWithin(sized, { ...defaultQuality, maxTokens: budget });
}
