import { reportOf } from '../../base/errors.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import type { Answer, AnsweredConflict, Citation, Found, FoundCard, SourceFacts } from './answer.ts';
import { segmentsOf } from './mitigations/citations.ts';
import { checkStatements, conflictsAmong, type DetectedConflict } from './mitigations/conflicts.ts';
import type { CodeEvidence, Place } from './mitigations/evidence.ts';
import { defaultQuality, type Scored, selectWithin } from './mitigations/quality.ts';
import { ordered } from './order.ts';
import {
  lineOf,
  placeOf,
  plainFacts,
  statementOf,
  stateOfWeighed,
  type Weighed,
  warningsOf,
  weigh,
} from './sources.ts';
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
  model?: AnswerModel;
  signal?: AbortSignal;
}

export interface ResolverParts<Question extends Classified, Mark> {
  find(text: string, options: AskOptions): Promise<Found>;
  /** What is known about results; those it does not know stand as recall gave them. */
  facts(cards: FoundCard[]): Promise<Map<string, SourceFacts>>;
  code(): Promise<CodeEvidence>;
  /** Conflicts that were recorded before, settled or not. */
  recorded(
    refs: string[],
  ): Promise<Array<{ id: string; left: string; right: string; subject: string; resolved: boolean }>>;
  cache?: AnswerShelf<Question, Mark>;
  now(): number;
}

const defaultBudget = 1000;
/** This near to the best result, a disputed statement concerns the question. */
const nearRelevance = 0.7;

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
  };
}

const evidenceOf = ({ citations }: Answer) => ({
  files: citations.flatMap(({ ref }) => (ref.startsWith('file:') ? [ref.slice(5)] : [])),
  refs: citations.flatMap(({ ref }) => (ref.startsWith('file:') ? [] : [ref])),
});

async function resolve<Question extends Classified, Mark>(
  parts: ResolverParts<Question, Mark>,
  text: string,
  { intent, subject }: Question,
  options: AskOptions,
): Promise<{ answer: Answer; trustworthy: boolean; tokens: number }> {
  const found = await parts.find(text, options);
  const code = await parts.code();
  const { weighed, conflicts, pressing } = await mitigate(parts, found.results, code);
  const answered = await withRecords(parts, conflicts);
  const open = answered.filter(({ resolved }) => !resolved).length;
  const budget = options.tokenBudget ?? defaultBudget;
  const selected = await select(ordered(weighed, intent, pressing), budget);
  const sufficient = isSufficient(intent, selected.scored, open);
  const included = selected.scored.filter((each) => each.included);
  const citations = included.map(citationOf);
  const shown = answered.filter((conflict) => concerns(conflict, citations));
  const base = {
    status: citations.length > 0 ? ('ok' as const) : ('no_matches' as const),
    intent,
    subject,
    citations,
    sources: included.map(({ item }, at) => lineOf(at + 1, item)),
    conflicts: shown,
    sufficient,
    confidence: found.confidence,
    tokens_used: selected.tokens,
    ...(found.also_exists_in ? { also_exists_in: found.also_exists_in } : {}),
    ...(found.suggestions ? { suggestions: found.suggestions } : {}),
    ...(found.hint ? { hint: found.hint } : {}),
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
        ...(options.signal ? { signal: options.signal } : {}),
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
  const answer = plainAnswer(citations, shown, found);
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
    // Answers that were made without vectors, or without a model that should have written, get better by themselves.
    trustworthy: notes.length === 0,
    tokens: 0,
  };
}

/** Freshness, trust and conflicts, and the code that settles a conflict even where recall did not find it. */
async function mitigate<Question extends Classified, Mark>(
  parts: ResolverParts<Question, Mark>,
  cards: FoundCard[],
  code: CodeEvidence,
): Promise<{ weighed: Weighed[]; conflicts: DetectedConflict[]; pressing: DetectedConflict[] }> {
  const known = await parts.facts(cards);
  const facts = (card: FoundCard): SourceFacts => known.get(card.ref) ?? plainFacts(card);
  const checked = await checkStatements(
    cards.map((card) => statementOf(card, facts(card))),
    code,
  );
  const weighed = cards.map((card) => weigh(card, facts(card), checked.get(card.ref) ?? [], parts.now()));
  const conflicts = conflictsAmong(
    weighed.map(({ card, facts: own, trust }) => ({ ...statementOf(card, own), trust })),
    checked,
  );
  const pressing = conflictsThatMatter(conflicts, cards);
  const here = new Set(cards.flatMap(({ ref, path }) => [ref, ...(path ? [`file:${path}`] : [])]));
  for (const { places, left } of pressing) {
    const place = places.find(({ path }) => path !== '');
    if (!place || here.has(`file:${place.path}`)) continue;
    here.add(`file:${place.path}`);
    const card = settlingCard(
      place,
      cards.find(({ ref }) => ref === left)?.relevance ?? 0.5,
      await code.lineOf(place),
    );
    weighed.push(weigh(card, { kind: 'code', text: '', at: 0 }, [], parts.now()));
  }
  return { weighed, conflicts, pressing };
}

/** A dispute about something that hardly concerns the question does not change what is answered first. */
function conflictsThatMatter(conflicts: DetectedConflict[], cards: FoundCard[]): DetectedConflict[] {
  const best = Math.max(0, ...cards.map(({ relevance }) => relevance));
  const near = new Set(
    cards.filter(({ relevance }) => relevance >= best * nearRelevance).map(({ ref }) => ref),
  );
  return conflicts.filter(({ left, right }) => near.has(left) || near.has(right));
}

const settlingCard = (place: Place, relevance: number, line: string): FoundCard => ({
  ref: `file:${place.path}`,
  domain: 'code',
  title: place.path,
  path: place.path,
  relevance,
  reason: 'the code that settles the conflict',
  ...(place.line > 0 ? { lines: `${place.line}-${place.line}` } : {}),
  ...(line.trim() ? { snippet: line.trim().slice(0, 200) } : {}),
});

async function withRecords<Question extends Classified, Mark>(
  parts: ResolverParts<Question, Mark>,
  conflicts: DetectedConflict[],
): Promise<AnsweredConflict[]> {
  if (conflicts.length === 0) return [];
  const recorded = await parts.recorded([...new Set(conflicts.flatMap(({ left, right }) => [left, right]))]);
  return conflicts.map(({ places: _, ...conflict }) => {
    const same = recorded.find(
      (each) =>
        each.subject === conflict.subject &&
        [each.left, each.right].sort().join(' ') === [conflict.left, conflict.right].sort().join(' '),
    );
    return { ...conflict, resolved: same?.resolved ?? false, ...(same ? { id: same.id } : {}) };
  });
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

function citationOf({ item, quality }: Pick<Scored<Weighed>, 'item' | 'quality'>, at: number): Citation {
  const { card, trust, freshness, facts } = item;
  const warnings = warningsOf(item);
  return {
    n: at + 1,
    ref: card.ref,
    domain: card.domain,
    place: placeOf(card),
    reason: card.heading ? `${card.heading} — ${card.reason}` : card.reason,
    trust: trust.shown,
    trust_name: trust.name,
    freshness: Math.round(freshness.score * 100) / 100,
    state: stateOfWeighed(item),
    quality: Math.round(quality * 100) / 100,
    ...(card.snippet ? { snippet: card.snippet } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(facts.supersededBy ? { superseded_by: facts.supersededBy } : {}),
    ...(facts.currentTitle ? { current: facts.currentTitle } : {}),
  };
}

/** A conflict is told where one of its sides is. */
const concerns = (conflict: AnsweredConflict, citations: Citation[]): boolean =>
  citations.some(({ ref }) => ref === conflict.left || ref === conflict.right);

function plainAnswer(citations: Citation[], conflicts: AnsweredConflict[], found: Found): string {
  if (citations.length === 0) return found.hint ?? 'Nothing was found.';
  return [
    ...conflicts.filter(({ resolved }) => !resolved).map(conflictLine),
    ...citations.map(
      (each) => `[${each.n}] ${each.place} — ${each.reason} (${each.trust_name}, ${each.state})`,
    ),
  ].join('\n');
}

export const conflictLine = ({
  kind,
  description,
  reason,
}: Pick<AnsweredConflict, 'kind' | 'description' | 'reason'>): string =>
  `⚠️ Conflict (${kind.replace('_', ' ')}): ${description} ${reason}.`;
