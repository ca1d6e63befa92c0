import type { Clock } from '../base/clock.ts';
import { once } from '../base/once.ts';
import { subjectOf, timeScopeOf } from '../base/text/index.ts';
import type { Answer, AskOptions, intentOf, Judged, ResolverParts } from '../engines/answers/index.ts';
import type { Claims } from '../engines/claims/index.ts';
import type { CacheQuestion, IntentCaches, OpenedRecall } from '../engines/recall/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import { version } from '../version.ts';
import type { FactParts } from './answer-facts.ts';

export interface TrustAccessors {
  /** Answers with sources, trust, freshness and conflicts. */
  resolver(): Promise<{
    ask(text: string, options?: AskOptions, classified?: ClassifiedQuestion): Promise<Answer>;
    /** For who keeps the whole answer that this becomes a part of. */
    askAnew(text: string, options?: AskOptions): Promise<Answer>;
    /** Trust, freshness and conflicts for what was found elsewhere, as a session may see it. */
    judge(
      found: Judged,
      question: string,
      session?: string,
    ): Promise<Pick<Answer, 'answer' | 'citations' | 'sources' | 'conflicts' | 'segments'>>;
  }>;
}

/** What the Guide found out about a question; without it the words are read here. */
export type ClassifiedQuestion = Pick<CacheQuestion, 'agent' | 'intent' | 'subject' | 'confidence'>;

export interface TrustParts extends FactParts {
  clock: Clock;
  claims: () => Promise<Claims>;
  conventions: () => Promise<Conventions>;
  recall: () => Promise<OpenedRecall>;
  intentCaches: () => Promise<IntentCaches>;
}

export function trustAccessors(parts: TrustParts): TrustAccessors {
  const { clock, graph } = parts;
  const resolver = once(async () => {
    const [
      { createResolver, intentOf: kindOf },
      { smartSearch },
      { answerFacts },
      { ownEntries },
      { disputedEntries, toldDisputed, withDisputed },
    ] = await Promise.all([
      import('../engines/answers/index.ts'),
      import('../engines/recall/index.ts'),
      import('./answer-facts.ts'),
      import('./own-entries.ts'),
      import('./disputed-entries.ts'),
    ]);
    const recall = await parts.recall();
    const sources: ResolverParts<CacheQuestion, never> = {
      find: async (text, options) => {
        const found = await smartSearch(recall, text, options as Parameters<typeof smartSearch>[2]);
        const own = await ownEntries(parts.memory, text, options);
        const disputed = await disputedEntries(parts, text, options);
        if (own.length + disputed.length === 0) return found;
        const [first, ...rest] = found.results;
        const results = withDisputed([...(first ? [first] : []), ...own, ...rest], disputed);
        return { ...found, status: 'ok', results };
      },
      facts: answerFacts(parts),
      code: async () => (await parts.claims()).evidence(),
      read: async (path) => (await parts.conventions()).projectFiles.read(path),
      recorded: async (refs) => (await graph()).conflicts({ refs }),
      now: clock.now,
    };
    const engine = createResolver({ ...sources, cache: await parts.intentCaches() });
    const anew = createResolver(sources);
    return {
      judge: async (found: Judged, question: string, session?: string) => {
        const options = session === undefined ? {} : { session };
        return engine.judge(toldDisputed(found, await disputedEntries(parts, question, options)), session);
      },
      askAnew: (text: string, options: AskOptions = {}) =>
        anew.ask(text, questionOf(text, kindOf(text), options, clock.now()), options),
      ask: (text: string, options: AskOptions = {}, classified?: ClassifiedQuestion) => {
        const question = questionOf(text, kindOf(text), options, clock.now());
        return engine.ask(text, { ...question, ...classified }, options);
      },
    };
  });

  return { resolver };
}

function questionOf(
  text: string,
  intent: ReturnType<typeof intentOf>,
  options: AskOptions,
  now: number,
): CacheQuestion {
  const timeScope = timeScopeOf(text, now);
  return {
    text,
    agent: 'librarian',
    intent,
    subject: subjectOf(text),
    confidence: intent === 'GENERAL' ? 0.8 : 0.9,
    viewer: { session: options.session ?? '', seesAll: false },
    shape: {
      domains: options.domains,
      path: options.path,
      budget: options.tokenBudget,
      thoroughness: options.thoroughness,
      model: options.model !== undefined,
      version,
    },
    ...(timeScope ? { timeScope } : {}),
  };
}
