import { SylkError } from '../../base/errors.ts';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { loadTokenCounter } from '../../base/tokens.ts';
import { linkQuestionKind } from '../knowledge/index.ts';
import { type Answer, type Question, type SearchAnswer, sightOf, type Viewer } from './answer.ts';
import type { AnswerCache, CacheQuestion } from './cache/index.ts';
import type { AnswersContext } from './context.ts';
import { judge } from './judge.ts';
import { lookUp } from './look-up.ts';
import type { ReadQuestion } from './reader/index.ts';
import { nextStepOf, routeLine } from './reader/route-line.ts';
import { search } from './search.ts';
import { answerFromReferences } from './specialists/academic.ts';
import { answerFromRecords } from './specialists/archivalist.ts';
import type { ComposedAnswer } from './specialists/compose.ts';
import { type CheckedWords, checkWords } from './words-there.ts';

type AskContext = AnswersContext & {
  cache: () => Promise<AnswerCache>;
  /** What the project is called. */
  project: string;
  /** Reads a question again that was mistyped. */
  read(text: string, viewer: Viewer): Promise<ReadQuestion>;
};

/**
 * The story of an answer. A question that names what to look for is looked up; one about the past goes to the
 * Archivalist, one about the outside to the Academic; everything else is searched for. What was found is judged against
 * the code and said with its sources, and with what links say to the same question. Domains or a folder that the asker
 * chose are searched, whoever the question is for.
 */
export async function answer(
  context: AskContext,
  read: ReadQuestion,
  question: Question,
  viewer: Viewer,
): Promise<Answer> {
  const given = await answerBySpecialist(context, read, question, viewer);
  const linked = question.domains === undefined ? await linkedLines(context, read.text, viewer) : [];
  return linked.length > 0 ? { ...given, linked } : given;
}

async function answerBySpecialist(
  context: AskContext,
  read: ReadQuestion,
  question: Question,
  viewer: Viewer,
  isCorrected = false,
): Promise<Answer> {
  // The form of a look-up is a question, whatever its words sound like.
  const asks = read.verb === 'recall' || read.verb === 'check' || read.lookUp !== undefined;
  const isEverywhere = question.domains === undefined && question.path === undefined;
  if (!asks || !isEverywhere) return searched(context, read, question, viewer, nextStepOf(read));

  // What is asked for by a name or a word that is nowhere is not there, whatever looks like it.
  const isExisting = read.lookUp?.kind === 'existing';
  const missing = isExisting ? await checkWords(context, read.text, context.project) : undefined;
  const isAbsent = missing !== undefined && missing.names.length + missing.words.length > 0;
  const lookedUp = isAbsent ? undefined : await lookUp(context, read, viewer);
  if (lookedUp) {
    const { target, intent, subject } = lookedUp;
    const route = `→ ${target} · ${intent} · ${subject} (looked up in the index)`;
    return said(context, { ...read, target, intent, subject }, lookedUp, viewer, {
      target,
      route,
      full: true,
    });
  }

  const words = missing ?? (await checkWords(context, read.text, context.project));
  if (words.mistyped.length > 0 && !isCorrected) {
    const again = await answerBySpecialist(
      context,
      await corrected(context, read, words, viewer),
      question,
      viewer,
      true,
    );
    return {
      ...again,
      searched_for: words.mistyped.map(
        ({ typed, meant }) => `Searched for "${meant}" instead of "${typed}".`,
      ),
    };
  }

  // Whether something is there is answered by files that have all of it.
  if (read.lookUp?.kind === 'existing')
    return searched(
      context,
      { ...read, target: 'librarian', codeIntent: 'LOCATE', subject: read.lookUp.need },
      question,
      viewer,
      undefined,
      [...words.names, ...words.words],
    );

  const route = routeLine(read);
  if (read.target === 'archivalist' && !asksHow(read)) {
    const records = await cached(context, read, question, viewer, 'archivalist', () =>
      answerFromRecords(context, read, question, viewer),
    );
    // Records show what happened; explaining how and why needs a writer.
    const full = read.verb === 'check' || read.intent === 'ACTIVITY' || read.intent === 'RESUME';
    return said(context, read, records, viewer, { target: 'archivalist', route, full });
  }

  if (read.target === 'academic') {
    const references = await cached(context, read, question, viewer, 'academic', () =>
      answerFromReferences(context, read, question),
    );
    // It only sounded like a question about literature: the whole repository answers.
    const isOutside = references.citations.some(({ domain }) => domain === 'references');
    const isMistaken = read.method !== 'rules' && references.onlyHere;
    if (isMistaken || (!isOutside && asksFact.test(read.text)))
      return searched(context, read, question, viewer, gatherReferences);
    return said(context, read, references, viewer, { target: 'academic', route, full: false });
  }

  return searched(context, read, question, viewer, nextStepOf(read), words.names);
}

/** How something works now is in the code, even where it asks what happens to something that was changed. */
const asksHow = ({ text, time_scope, verb, intent }: ReadQuestion): boolean =>
  verb === 'recall' &&
  intent !== 'RESUME' &&
  intent !== 'ACTIVITY' &&
  !time_scope &&
  /^\s*(?:how (?:does|do|is|are|can)|what (?:happens|is|are)|where)\b/i.test(text);

/** The question with the words that were meant. */
function corrected(
  context: AskContext,
  { text }: ReadQuestion,
  { mistyped }: CheckedWords,
  viewer: Viewer,
): Promise<ReadQuestion> {
  const meant = mistyped.reduce((rest, { typed, meant: word }) => rest.replaceAll(typed, () => word), text);
  return context.read(meant, viewer);
}

const asksFact =
  /^\s*(?:what|how|why|where|which|who|when|is|are|does|do|can)\b(?!.*\b(?:best practices?|recommended|literature|research|papers?)\b)/i;

const mostLinked = 8;

/** Links without what they lead to say nothing: the answer stands without them. */
async function linkedLines(context: AskContext, text: string, viewer: Viewer): Promise<string[]> {
  if (!linkQuestionKind(text)) return [];
  try {
    const linked = await (await context.knowledge()).answer(sightOf(viewer), { question: text });
    return linked?.lines.slice(0, mostLinked) ?? [];
  } catch (error) {
    if (error instanceof SylkError) return [];
    throw error;
  }
}

const gatherReferences = 'No results in the references. Run `sylk ref create` to collect some.';

/** The Librarian: a search of the repository, or the cached answer of an earlier one. */
async function searched(
  context: AskContext,
  read: ReadQuestion,
  question: Question,
  viewer: Viewer,
  nextStep: string | undefined,
  absent: string[] = [],
): Promise<Answer> {
  const { text, query, subject, codeIntent: intent, target } = read;
  const { domains, path, tokenBudget, thoroughness, model } = question;
  const said = { target: 'librarian', route: routeLine(read), next_step: nextStep } as const;
  const cache = await context.cache();
  const key: CacheQuestion = {
    ...keyOf(read, viewer),
    agent: 'librarian',
    intent,
    confidence: target === 'librarian' ? read.confidence : unclassified,
    shape: {
      domains,
      path,
      budget: tokenBudget,
      thoroughness,
      model: model !== undefined,
      version: context.version,
    },
  };
  const hit = await cache.look<SearchAnswer>(key);
  if (hit.hit)
    return { ...hit.answer, level: 1, cost: { model_tokens: 0, saved_tokens: hit.savedTokens }, ...said };
  const mark = await cache.mark(key);
  const { answer: found, isFinal } = await search(
    context,
    { text, query, intent, subject, isExisting: read.lookUp?.kind === 'existing', absent },
    question,
    viewer,
  );
  if (isFinal)
    await cache.keep(mark, {
      answer: found,
      empty: found.citations.length === 0,
      evidence: evidenceOf(found.citations),
      tokens: found.cost.model_tokens,
    });
  return { ...found, ...said };
}

/** The cache key of a question for another target: its subject is trusted. */
const unclassified = 0.8;

/** The cached answer of a specialist, if still valid. Only questions are cached, not checks before acting. */
async function cached<Composed extends ComposedAnswer>(
  context: AskContext,
  read: ReadQuestion,
  { path, tokenBudget, thoroughness }: Question,
  viewer: Viewer,
  agent: 'archivalist' | 'academic',
  compose: () => Promise<Composed>,
): Promise<Composed> {
  if (read.verb !== 'recall') return compose();
  const cache = await context.cache();
  const key: CacheQuestion = {
    ...keyOf(read, viewer),
    agent,
    intent: read.intent as CacheQuestion['intent'],
    confidence: read.confidence,
    shape: { path, token_budget: tokenBudget, thoroughness, version: context.version },
  };
  const hit = await cache.look<Composed>(key);
  if (hit.hit) return { ...hit.answer, level: 1 };
  const mark = await cache.mark(key);
  const composed = await compose();
  const { files, refs } = evidenceOf(composed.citations);
  // A briefing depends on the session itself. Answers without the model's vectors get better by themselves.
  const evidence = {
    files,
    refs:
      read.intent === 'RESUME' && viewer.session !== '' ? [...refs, refOf('session', viewer.session)] : refs,
  };
  if (!composed.notes.some((note) => note.startsWith('answered by')))
    await cache.keep(mark, { answer: composed, empty: composed.status !== 'ok', evidence, tokens: 0 });
  return composed;
}

const keyOf = (
  { text, subject, time_scope }: ReadQuestion,
  viewer: Viewer,
): Pick<CacheQuestion, 'text' | 'subject' | 'timeScope' | 'viewer'> => ({
  text,
  subject,
  timeScope: time_scope,
  viewer: { session: viewer.session, seesAll: sightOf(viewer).sees_all },
});

const evidenceOf = (citations: Array<{ ref: string }>) => ({
  files: citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [idOf(ref)] : [])),
  refs: citations.flatMap(({ ref }) => (isRefOf(ref, 'file') ? [] : [ref])),
});

/** The composed answer, judged and in the common format. */
async function said(
  context: AskContext,
  { text, intent, subject, confidence }: ReadQuestion,
  composed: ComposedAnswer,
  viewer: Viewer,
  { full, ...by }: Pick<Answer, 'target' | 'route'> & { full: boolean },
): Promise<Answer> {
  const count = await loadTokenCounter();
  const sufficient = composed.status === 'ok' && full;
  return {
    ...(await judge(context, composed, { text, subject }, viewer)),
    ...by,
    status: composed.status,
    level: composed.level,
    intent,
    subject,
    confidence,
    sufficient,
    would_add: sufficient || composed.status === 'no_matches' ? undefined : 'a written answer',
    tokens_used: count(composed.answer),
    cost: { model_tokens: 0 },
    notes: composed.notes,
  };
}
