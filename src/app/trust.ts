import type { Clock } from '../base/clock.ts';
import type { Git } from '../base/git/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import { idOf, isRefOf, refOf } from '../base/ref.ts';
import { subjectOf, timeScopeOf } from '../base/text/index.ts';
import type { Answer, AskOptions, intentOf, Judged, ResolverParts } from '../engines/answers/index.ts';
import type { CodeEvidence, RememberedText } from '../engines/claims/index.ts';
import type { CacheQuestion, IntentCaches, OpenedRecall } from '../engines/recall/index.ts';
import type { Entry } from '../stores/chronicle/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import { version } from '../version.ts';
import type { FactParts } from './answer-facts.ts';
import { textOfEntry } from './entry-text.ts';

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
  /** Checks what is remembered against the code; the entry with what came of it, and what spoke against it. */
  checkEntry(entry: Entry): Promise<{ entry: Entry; warnings: string[] }>;
}

/** What the Guide found out about a question; without it the words are read here. */
export type ClassifiedQuestion = Pick<CacheQuestion, 'agent' | 'intent' | 'subject' | 'confidence'>;

export interface TrustParts extends FactParts {
  clock: Clock;
  log: Log;
  git: Git;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  recall: () => Promise<OpenedRecall>;
  intentCaches: () => Promise<IntentCaches>;
}

/** Manifests and the list of files are read again after so long, even where no indexed file changed. */
const evidenceMs = 30_000;
const likeEntries = 20;

export function trustAccessors(parts: TrustParts): TrustAccessors {
  const { clock, graph } = parts;
  let evidence: { generation: number; at: number; code: CodeEvidence } | undefined;
  const codeEvidence = async (): Promise<CodeEvidence> => {
    const code = await parts.code();
    const generation = code.generation();
    if (!evidence || evidence.generation !== generation || clock.now() - evidence.at > evidenceMs) {
      const { createCodeEvidence } = await import('../engines/claims/index.ts');
      const { dependencies, projectFiles } = await parts.conventions();
      evidence = {
        generation,
        at: clock.now(),
        code: createCodeEvidence({
          files: projectFiles,
          git: parts.git,
          dependencies: dependencies.declared,
          definitions: (name) =>
            code.find(name).filter((symbol) => symbol.kind !== 'file' && symbol.name === name),
        }),
      };
    }
    return evidence.code;
  };

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
      code: codeEvidence,
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

  const gate = once(async () => {
    const { createGate } = await import('../engines/claims/index.ts');
    const { chronicle } = await parts.memory();
    return createGate({
      code: codeEvidence,
      alike: async ({ text, session }) => {
        const found = await chronicle.find(
          { session_id: session, sees_all: false },
          { text: text.slice(0, 500), limit: likeEntries },
        );
        return found.map((entry) => ({ ref: refOf('entry', entry.id), text: textOfEntry(entry) }));
      },
      record: async (
        { ref, session },
        { verification, confidence, needsReview, warnings, contradictions, sources },
      ) => {
        const own = await graph();
        const told = contradictions.map(({ claim, finding, ref: against }) => ({
          claim,
          detail: finding,
          ...(against ? { ref: against } : {}),
        }));
        await own.recordVerification(ref, {
          verification,
          confidence,
          needsReview,
          warnings,
          contradictions: told,
        });
        // What bears an entry out is linked to it; it was not made from that, so forgetting the one keeps the other.
        for (const target of sources)
          await own.link({ source: ref, target, type: 'references', weight: 1, by: 'firewall', session });
      },
      conflict: async (found) => void (await (await graph()).recordConflict(found)),
    });
  });

  return {
    resolver,
    checkEntry: async (entry) => {
      try {
        if ((await parts.code()).files().length === 0)
          return { entry, warnings: ['not checked: the code is not indexed yet'] };
        const ref = refOf('entry', entry.id);
        const before = (await (await graph()).verificationsOf([ref])).get(ref);
        const { verified, verification, needsReview, warnings, contradictions } = await (await gate()).check(
          remembered(entry),
        );
        const { chronicle } = await parts.memory();
        const marked = await chronicle.mark(entry.id, {
          // What a person confirmed stays so; what only the code bore out falls with the code.
          ...(entry.verification === 'none' && verified ? { verification } : {}),
          ...(entry.verification === 'against_code' && contradictions.length > 0
            ? { verification: 'none' }
            : {}),
          ...(needsReview ? { needs_review: true } : before?.needs_review ? { needs_review: false } : {}),
        });
        return {
          entry: marked,
          warnings: [...contradictions.map(({ claim, finding }) => `“${claim}”: ${finding}`), ...warnings],
        };
      } catch (error) {
        // What was said is stored already; a check that failed takes nothing away.
        parts.log.warn(`an entry could not be checked: ${(error as Error).message}`);
        return { entry, warnings: [] };
      }
    },
  };
}

const remembered = (entry: Entry): RememberedText => ({
  session: entry.session_id,
  ref: refOf('entry', entry.id),
  text: textOfEntry(entry),
  paths: entry.refs.filter((ref) => isRefOf(ref, 'file')).map((ref) => idOf(ref)),
});

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
