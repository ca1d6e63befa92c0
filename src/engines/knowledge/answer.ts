import { subjectOf, timeScopeOf } from '../../base/text/index.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import type { Card } from './cards.ts';
import type { KnowledgeContext } from './context.ts';
import type { Questions } from './questions.ts';

export const questionKinds = ['patterns', 'decision', 'changes', 'issues'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface CrossAnswer {
  question: QuestionKind;
  subject: string;
  lines: string[];
  /** What the lines speak of, in their order. */
  cards: Card[];
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

/** Which of the questions across domains a text asks, if it is one of them. */
export const recognise = (text: string): QuestionKind | undefined =>
  shapes.find(([, shape]) => shape.test(text))?.[0];

const names =
  /`([^`]+)`|\b([\w./-]+\.\w{1,5}(?:#[\w.]+)?)\b|\b([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b|\b(\w+)\(\)/;
const nextWeek = 7 * 86_400_000;

/** Answers one of the questions across domains by links alone: no model is asked. */
export function createCrossAnswers({ clock, code }: KnowledgeContext, questions: Questions) {
  const lineOf = (card: Card): string =>
    `${card.path ?? card.title}${card.path && card.kind !== 'file' ? `:${card.title}` : ''}`;

  const patterns = async (
    viewer: Viewer,
    subject: string,
  ): Promise<Omit<CrossAnswer, 'question' | 'subject'>> => {
    const found = await questions.patternsOf(viewer, { subject });
    return {
      lines: found.map(({ pattern, code }) => `${pattern.title} (${code.map(lineOf).join(', ')})`),
      cards: found.flatMap(({ pattern, code }) => [pattern, ...code]),
    };
  };
  const decision = async (viewer: Viewer, subject: string) => {
    const found = await questions.decisionsAbout(viewer, { subject });
    return {
      lines: found.flatMap(({ decision: made, sources }) => [
        `${made.at?.slice(0, 10)}: ${made.title}${made.text ? `: ${made.text}` : ''}`,
        ...sources.map(({ card }) => `  based on ${card.title}${card.url ? ` (${card.url})` : ''}`),
      ]),
      cards: found.flatMap(({ decision: made, sources }) => [made, ...sources.map(({ card }) => card)]),
    };
  };
  const changes = async (viewer: Viewer, subject: string, text: string) => {
    const now = clock.now();
    const scope = timeScopeOf(text, now) ?? { from: now - nextWeek, to: now };
    const found = await questions.changedCode(viewer, { subject, since: scope.from, until: scope.to });
    return {
      lines: found.map(({ code, change }) => `${lineOf(code)} (${change})`),
      cards: found.map(({ code }) => code),
    };
  };
  const issues = async (viewer: Viewer, symbol: string) => {
    const found = await questions.issuesOf(viewer, { symbol });
    return {
      lines: found.issues.map(
        ({ issue, fixed }) => `${issue.at?.slice(0, 10)}: ${issue.title} (${fixed ? 'fixed' : 'open'})`,
      ),
      cards: found.issues.map(({ issue }) => issue),
    };
  };

  /** `about`: what "this" means, where the text does not name it. */
  return async (viewer: Viewer, text: string, about?: string): Promise<CrossAnswer | undefined> => {
    const question = recognise(text);
    if (!question) return undefined;
    const subject = subjectOf(text).replaceAll('_', ' ');
    if (question === 'issues') {
      const named = about ?? names.exec(text)?.slice(1).find(Boolean);
      // Something that looks like a name and is none, such as the name of a product, is a subject.
      const known = named && (await code()).find(named).length > 0;
      const [meant] = known ? [named] : await questions.codeMeant(subject || (named ?? ''), 1);
      return meant ? { question, subject: meant, ...(await issues(viewer, meant)) } : undefined;
    }
    const asked = about ?? subject;
    const answered = { patterns, decision, changes }[question];
    return { question, subject: asked, ...(await answered(viewer, asked, text)) };
  };
}
