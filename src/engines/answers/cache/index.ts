// owns: when an answer may be given again, by intent; what makes two questions one
// knows: the store of answers, and the state of the other stores
// must not know: how answers are made, surfaces
import type { Clock } from '../../../base/clock.ts';
import { similarity } from '../../../base/embedding/index.ts';
import { messageOf } from '../../../base/errors.ts';
import { redact, redactValue } from '../../../base/redact.ts';
import { isRefOf, parseCodeRef } from '../../../base/ref.ts';
import type { AnswerPlace, Answers, KeptAnswer } from '../../../stores/answers/index.ts';
import type { AnswersContext } from '../context.ts';
import { isSpecialist, type Specialist } from '../reader/index.ts';
import { type Concept, conceptOf, isNearConcept, isSameConcept, relatedNames } from './concept.ts';
import { type CurrentState, currentState } from './current-state.ts';
import { createFreshness } from './freshness.ts';
import {
  batchLimit,
  type CacheQuestion,
  type CacheViewer,
  type Strategy,
  strategies,
  strategyOf,
  trustedConfidence,
  twinSimilarity,
} from './strategies.ts';

export type { CurrentState } from './current-state.ts';
export type { CacheQuestion } from './strategies.ts';

export async function openAnswerCache(context: AnswersContext): Promise<AnswerCache> {
  const recall = await context.recall();
  return createAnswerCache({
    answers: await context.cachedAnswers(),
    current: currentState(context, { code: await context.code(), passages: recall.parts.passages }),
    clock: context.clock,
    embed: async (text) => {
      const { vector, tier } = await recall.meaning.question(text, false);
      return vector && { vector, maker: `${recall.meaning.fingerprint} ${tier}` };
    },
    warn: (line) => context.log.warn(line),
  });
}

interface CacheContext {
  answers: Answers;
  current: CurrentState;
  clock: Clock;
  /** `maker` tells which vectors may be compared. Without it nothing is found by meaning but the very same words. */
  embed?: (text: string) => Promise<{ vector: Float32Array; maker: string } | undefined>;
  /** Told once when answers cannot be kept. */
  warn?: (line: string) => void;
}

/**
 * What an answer was made from: all that a model was shown, or all that is cited where none wrote it. Whoever keeps an
 * answer says so, or it is not kept.
 */
export interface Evidence {
  /** Files it cites, relative to the root, and everything else: `entry:…`, `commit:…`, `task:…`, `topic:…`. */
  files: string[];
  refs: string[];
  /** For OUTCOME: the result is final. An unfinished one falls as soon as it moves. */
  complete?: boolean;
}

type Looked<Answer> =
  | {
      hit: true;
      answer: Answer;
      /** How it was found: by subject, by another name of it, by meaning (0.80), by the fallback (0.95). */
      by: 'subject' | 'related' | 'meaning' | 'fallback';
      /** The question that it was first given to. */
      asked: string;
      ageSeconds: number;
      /** How often it was served, this time included. */
      hits: number;
      /** What it cost to make: the tokens that were saved now. */
      savedTokens: number;
    }
  /** `unsure`: classified below 0.8 and no near twin was asked before. */
  | { hit: false; reason: 'absent' | 'unsure' | 'expired' | 'changed' };

/** Taken before the answer is made: what changed in between is then noticed, and an answer from the old state is not kept. */
interface CacheMark {
  question: CacheQuestion;
  versions: string;
  at: number;
}

type Kept =
  | { kept: true }
  | { kept: false; reason: 'empty' | 'no_evidence' | 'changed_meanwhile' | 'unavailable' };

const shared = 'shared';
const uncounted = {
  entries: 0,
  hits: 0,
  misses: 0,
  invalidations: 0,
  expired: 0,
  evicted: 0,
  tokens_saved: 0,
};

export type AnswerCache = ReturnType<typeof createAnswerCache>;

/**
 * Answers by what was asked, about what, over which time, by whom and in which working tree. Looking never fails: a
 * cache that cannot be read answers with a miss.
 */
export function createAnswerCache(context: CacheContext) {
  const { answers, current, clock } = context;
  const freshness = createFreshness(context);
  let warned = false;

  /** A cache that cannot be read or written is no reason to fail. */
  const safely = async <T>(work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!warned) context.warn?.(`answers are not kept: ${messageOf(error)}`);
      warned = true;
      return otherwise;
    }
  };

  const look = async <Answer>(question: CacheQuestion): Promise<Looked<Answer>> => {
    const strategy = strategyOf(question.agent, question.intent);
    if (!strategy) return { hit: false, reason: 'absent' };
    const states = new Set<string>();
    for await (const { kept, by } of candidates(question, strategy)) {
      const state = await freshness.check(kept, question);
      states.add(state);
      if (state !== 'good') continue;
      answers.served(kept, clock.now());
      return {
        hit: true,
        answer: JSON.parse(kept.answer) as Answer,
        by,
        asked: kept.asked,
        ageSeconds: Math.max(0, Math.round((clock.now() - kept.made_at) / 1000)),
        hits: kept.hits + 1,
        savedTokens: kept.tokens,
      };
    }
    answers.count(question.agent, question.intent, 'misses');
    if (states.has('changed') || states.has('not here')) return { hit: false, reason: 'changed' };
    if (states.has('expired')) return { hit: false, reason: 'expired' };
    return { hit: false, reason: isTrusted(question) ? 'absent' : 'unsure' };
  };

  /** The surest first: the same words, another name of the subject, near in meaning. */
  async function* candidates(question: CacheQuestion, strategy: Strategy) {
    const { intent, text } = question;
    const place = await placeOf(question, strategy);
    const concept = conceptOf(text, intent);
    const tried = new Set<number>();
    // "Where is it?" is about whatever was meant then; only going on where one stopped needs no subject.
    const about = isTrusted(question) && (concept.words.length > 0 || intent === 'RESUME');
    if (about)
      for (const kept of answers.of(place, concept.key)) {
        if (kept.intent !== intent || !isSameConcept(concept, conceptOf(kept.asked, intent))) continue;
        tried.add(kept.id);
        yield { kept, by: strategy.found };
      }
    const others = answers.at(place).filter(({ id }) => !tried.has(id));
    if (others.length === 0) return;
    if (about)
      for (const kept of others)
        if (kept.intent === intent && isRelated(question, concept, kept)) {
          tried.add(kept.id);
          yield { kept, by: 'related' as const };
        }
    const untried = others.filter(({ id }) => !tried.has(id));
    yield* nearInMeaning(question, untried, about ? strategy.similarity : Number.POSITIVE_INFINITY);
  }

  /** Answers to the same intent from `least` on, and to any from the nearness of twins on. */
  async function* nearInMeaning({ intent, text }: CacheQuestion, kept: KeptAnswer[], least: number) {
    for (const { kept: each, nearness } of await nearest(text, kept)) {
      const own = each.intent === intent && nearness >= least;
      if (!own && nearness < twinSimilarity) continue;
      const as = each.intent as CacheQuestion['intent'];
      if (!isNearConcept(conceptOf(text, as), conceptOf(each.asked, as))) continue;
      yield { kept: each, by: own && least < twinSimilarity ? ('meaning' as const) : ('fallback' as const) };
    }
  }

  const nearest = async (text: string, others: KeptAnswer[]) => {
    const own = await context.embed?.(text).catch(() => undefined);
    const nearnessOf = ({ asked, vector, maker }: KeptAnswer): number => {
      if (plainText(asked) === plainText(text)) return 1;
      return own && vector && maker === own.maker ? similarity(own.vector, vector) : 0;
    };
    return others
      .map((kept) => ({ kept, nearness: nearnessOf(kept) }))
      .filter(({ nearness }) => nearness > 0)
      .sort((a, b) => b.nearness - a.nearness);
  };

  const placeOf = async (question: CacheQuestion, strategy: Strategy): Promise<AnswerPlace> => ({
    agent: question.agent,
    sees: (await mayShare(question, strategy))
      ? [eyesOf(question.viewer), shared]
      : [eyesOf(question.viewer)],
    overlays: [...new Set([current.overlay(), ''])],
    time: timeKey(question.timeScope, clock.now()),
    shape: shapeOf(question),
  });

  /** Sessions that see the same share; one that wrote something sees more than the others. */
  const mayShare = async ({ viewer }: CacheQuestion, { ofSession, versions }: Strategy): Promise<boolean> => {
    if (ofSession) return false;
    if (!versions.includes('visibility')) return true;
    const own = await current.version('visibility', viewer);
    return !viewer.seesAll && own === (await current.version('visibility', { session: '', seesAll: false }));
  };

  const mark = async (given: CacheQuestion): Promise<CacheMark> => {
    const question = clean(given);
    const strategy = strategyOf(question.agent, question.intent);
    const versions = strategy ? await safely(() => freshness.moment(question, strategy), '') : '';
    return { question, versions, at: clock.now() };
  };

  const keep = async (
    taken: CacheMark,
    made: { answer: unknown; empty: boolean; evidence: Evidence; tokens: number },
  ): Promise<Kept> => {
    const { question } = taken;
    const { refs, complete = true } = made.evidence;
    const strategy = strategyOf(question.agent, question.intent);
    if (made.empty) return { kept: false, reason: 'empty' };
    if (made.evidence.files.length + refs.length === 0) return { kept: false, reason: 'no_evidence' };
    if (!strategy || taken.versions === '') return { kept: false, reason: 'unavailable' };
    if (taken.versions !== (await safely(() => freshness.moment(question, strategy), '')))
      return { kept: false, reason: 'changed_meanwhile' };
    const files = [...new Set([...made.evidence.files, ...refs.flatMap(fileOfSymbol)])];
    const embedded = await context.embed?.(question.text).catch(() => undefined);
    const rests = await safely(() => freshness.restsOn(question, strategy, files, refs), undefined);
    if (!rests) return { kept: false, reason: 'changed_meanwhile' };
    const write = async () => {
      const isShared = !citesMemory(refs) && (await mayShare(question, strategy));
      answers.put(
        {
          agent: question.agent,
          intent: question.intent,
          subject: question.subject,
          concept: conceptOf(question.text, question.intent).key,
          related: [...new Set([...(question.related ?? []), ...relatedNames(question.subject)])],
          time: timeKey(question.timeScope, taken.at),
          sees: isShared ? shared : eyesOf(question.viewer),
          overlay: current.overlay(),
          shape: shapeOf(question),
          asked: question.text,
          answer: JSON.stringify(redactValue(made.answer)),
          tokens: made.tokens,
          complete,
          ...rests,
          vector: embedded?.vector,
          maker: embedded?.maker ?? '',
          made_at: taken.at,
        },
        strategy.limit,
      );
      return true;
    };
    return (await safely(write, false)) ? { kept: true } : { kept: false, reason: 'unavailable' };
  };

  return {
    /** Answers come back as whoever kept them gave them. */
    look: <Answer>(question: CacheQuestion) =>
      safely<Looked<Answer>>(() => look(clean(question)), { hit: false, reason: 'absent' }),
    mark,
    /** `tokens`: what a model was paid for it; 0 where none wrote. Empty answers are not kept. */
    keep,
    /** Paths whose content or presence changed, as the indexing engine tells them. */
    filesChanged: (paths: string[]): void => {
      void safely(async () => {
        if (paths.length > batchLimit) answers.drop(answers.ids('librarian'), 'invalidations');
        else freshness.dropChanged(paths);
      }, undefined);
    },
    clear: (agent?: Specialist): number => answers.clear(agent),
    /** Counts of all; questions only where the viewer may see them. */
    statistics: (viewer: CacheViewer) => {
      const counted = new Map(answers.counts().map((row) => [`${row.agent} ${row.intent}`, row]));
      return {
        intents: strategies.map(({ agent, intent, limit, ttl, similarity: near, found }) => {
          const { hits, misses, ...counts } = { ...uncounted, ...counted.get(`${agent} ${intent}`) };
          return {
            ...counts,
            agent,
            intent,
            /** Most entries that are kept; the least recently used goes first. */
            limit,
            ttl_minutes: ttl,
            found_by: found === 'meaning' ? `meaning ${near}` : 'subject',
            hits,
            misses,
            hit_rate: hits + misses === 0 ? 0 : hits / (hits + misses),
          };
        }),
        top: answers
          .mostServed(viewer.seesAll ? 'all' : [eyesOf(viewer), shared], 10)
          .flatMap(({ agent, ...row }) => (isSpecialist(agent) ? [{ ...row, agent }] : [])),
        bytes: answers.bytes(),
      };
    },
    close: () => answers.close(),
  };
}

/** Secrets never reach the disk, not even as part of a question. */
const clean = (question: CacheQuestion): CacheQuestion => ({
  ...question,
  text: redact(question.text),
  subject: redact(question.subject),
});
const isTrusted = (question: CacheQuestion): boolean => question.confidence >= trustedConfidence;
const eyesOf = ({ session, seesAll }: CacheViewer): string => (seesAll ? 'all' : `session ${session}`);
const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s?!.]+/g, ' ')
    .trim();
const shapeOf = ({ shape = {} }: CacheQuestion): string =>
  JSON.stringify(Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A symbol rests on the file that defines it. */
const fileOfSymbol = (ref: string): string[] =>
  isRefOf(ref, 'symbol') ? [parseCodeRef(ref)?.path ?? []].flat() : [];

/** What a session wrote is for that session, even where a question about code led to it. */
const citesMemory = (refs: string[]): boolean =>
  refs.some((ref) => /^(?:entry|session|note|mistake|checkpoint):/.test(ref));

const hour = 3_600_000;

/**
 * One text for the time that was asked about, by what it covers: "last week" said on two Mondays are two times,
 * "recently" and "lately" are one. Short stretches are told apart by ten minutes, long ones by days.
 */
function timeKey(scope: CacheQuestion['timeScope'], now: number): string {
  if (!scope) return '';
  const { from, to } = scope;
  const grain = to - from >= 48 * hour ? 24 * hour : hour / 6;
  return `${Math.floor(from / grain)}..${to >= now - 60_000 ? 'now' : Math.floor(to / grain)}`;
}

/** The subjects are known as names of one thing, and the rest of both questions is the same. */
function isRelated({ subject, related, intent }: CacheQuestion, concept: Concept, kept: KeptAnswer): boolean {
  const isNamed = related?.includes(kept.subject) || kept.related.includes(subject);
  if (!isNamed || subject === kept.subject) return false;
  const beside = (words: string[], name: string) => {
    const named = new Set(conceptOf(name.replaceAll('_', ' '), intent).words);
    return words.filter((word) => !named.has(word)).join(' ');
  };
  return beside(concept.words, subject) === beside(conceptOf(kept.asked, intent).words, kept.subject);
}
