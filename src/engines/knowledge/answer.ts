import { lastMomentOf, subjectOf, timeScopeOf } from '../../base/text/index.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import type { Card } from './cards.ts';
import type { KnowledgeContext } from './context.ts';
import type { ChangedCode, CodePattern, Decision, KnownIssue, Questions } from './questions.ts';

export const questionKinds = ['patterns', 'decision', 'changes', 'issues'] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** A question in words, or its kind and subject. */
export interface LinkQuestion {
  question?: string | undefined;
  kind?: QuestionKind | undefined;
  /** The subject, if its words do not name it. */
  subject?: string | undefined;
  path?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  limit?: number | undefined;
}

interface Found {
  lines: string[];
  /** The refs of the lines, in order. */
  cards: Card[];
  patterns?: CodePattern[];
  decisions?: Decision[];
  since?: string;
  changes?: ChangedCode[];
  code?: Card;
  issues?: KnownIssue[];
}

export interface LinkAnswer extends Found {
  question: QuestionKind;
  subject: string;
}

const shapes: Array<[QuestionKind, RegExp]> = [
  [
    'issues',
    /\b(?:issues?|bugs?|problems?|troubles?|regressions?|fail(?:ed|ures?))\b.*\b(?:with|in|before|of)\b/i,
  ],
  ['changes', /\bwhat\b.*\b(?:chang|modif|touch|add|creat|delet|did we do)\w*|\bchanges\b/i],
  [
    'patterns',
    /\b(?:patterns?|practices?)\b.*\b(?:implement|follow|use|apply|appl|have|in)\w*|\bimplements?\b.*\bpatterns?\b/i,
  ],
  ['decision', /^\s*why\b|\b(?:reason|rationale|decid|decision|chose|choose)\w*/i],
];

/** What a text asks of links; undefined where they can't answer it. */
export const linkQuestionKind = (text: string): QuestionKind | undefined =>
  shapes.find(([, shape]) => shape.test(text))?.[0];

const names =
  /`([^`]+)`|\b([\w./-]+\.\w{1,5}(?:#[\w.]+)?)\b|\b([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b|\b(\w+)\(\)/;
const week = 7 * 86_400_000;

const codeName = (card: Card): string =>
  `${card.path ?? card.title}${card.path && card.kind !== 'file' ? `:${card.title}` : ''}`;

/** Answers four questions across code, memory and references by links alone. */
export function createLinkAnswers({ clock, code }: KnowledgeContext, questions: Questions) {
  type Answering = (viewer: Viewer, subject: string, asked: LinkQuestion) => Promise<Found>;

  const patterns: Answering = async (viewer, subject, { path, limit }) => {
    const found = await questions.patternsOf(viewer, { subject, path, limit });
    return {
      lines: found.map(
        ({ pattern, code: places }) => `${pattern.title} (${places.map(codeName).join(', ')})`,
      ),
      cards: found.flatMap(({ pattern, code: places }) => [pattern, ...places]),
      patterns: found,
    };
  };
  const decision: Answering = async (viewer, subject, { question = '', from, to, limit }) => {
    const now = clock.now();
    const scope = timeScopeOf(question, now);
    const found = await questions.decisionsAbout(viewer, {
      subject,
      since: from ?? scope?.from,
      until: to ?? (scope && lastMomentOf(scope, now)),
      limit,
    });
    return {
      lines: found.flatMap(({ decision: { at, title, text }, sources }) => [
        `${at?.slice(0, 10)}: ${title}${text ? `: ${text}` : ''}`,
        ...sources.map(({ card }) => `  based on ${card.title}${card.url ? ` (${card.url})` : ''}`),
      ]),
      cards: found.flatMap((each) => [each.decision, ...each.sources.map(({ card }) => card)]),
      decisions: found,
    };
  };
  const changes: Answering = async (viewer, subject, { question = '', from, to, limit }) => {
    const now = clock.now();
    const scope = timeScopeOf(question, now);
    const since = from ?? scope?.from ?? now - week;
    const found = await questions.changedCode(viewer, {
      subject,
      since,
      until: to ?? scope?.to ?? now,
      limit,
    });
    return {
      lines: found.map(({ code: place, change }) => `${codeName(place)} (${change})`),
      cards: found.map(({ code: place }) => place),
      since: new Date(since).toISOString(),
      changes: found,
    };
  };
  const issues: Answering = async (viewer, symbol, { limit }) => {
    const found = await questions.issuesOf(viewer, { symbol, limit });
    return {
      ...found,
      lines: found.issues.map(
        ({ issue, fixed }) => `${issue.at?.slice(0, 10)}: ${issue.title} (${fixed ? 'fixed' : 'open'})`,
      ),
      cards: found.issues.map(({ issue }) => issue),
    };
  };

  /** The code that a question about issues means. A word that only looks like a name is a subject. */
  const codeAsked = async (text: string, given?: string): Promise<string | undefined> => {
    const named = given ?? names.exec(text)?.slice(1).find(Boolean);
    if (named && (await code()).find(named).length > 0) return named;
    const subject = subjectOf(text).replaceAll('_', ' ');
    return (await questions.codeMeant(subject || (named ?? ''), 1))[0];
  };

  return async (viewer: Viewer, asked: LinkQuestion): Promise<LinkAnswer | undefined> => {
    const text = asked.question ?? '';
    const question = asked.kind ?? linkQuestionKind(text);
    if (!question) return undefined;
    const subject =
      question === 'issues' && !asked.kind
        ? await codeAsked(text, asked.subject)
        : (asked.subject ?? subjectOf(text).replaceAll('_', ' '));
    if (subject === undefined) return undefined;
    const answering = { patterns, decision, changes, issues }[question];
    return { question, subject, ...(await answering(viewer, subject, asked)) };
  };
}
