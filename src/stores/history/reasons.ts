import { parseConventional } from './message.ts';

const reasons = [
  'revert',
  'fix',
  'feature',
  'performance',
  'refactoring',
  'test',
  'documentation',
  'upkeep',
  'other',
] as const;
type Reason = (typeof reasons)[number];

/** Types of conventional commits, and words that subjects begin with, by the reason that they give. */
const byType: Partial<Record<string, Reason>> = {
  revert: 'revert',
  fix: 'fix',
  hotfix: 'fix',
  bugfix: 'fix',
  security: 'fix',
  feat: 'feature',
  feature: 'feature',
  perf: 'performance',
  refactor: 'refactoring',
  refact: 'refactoring',
  cleanup: 'refactoring',
  style: 'refactoring',
  types: 'refactoring',
  test: 'test',
  tests: 'test',
  docs: 'documentation',
  doc: 'documentation',
  chore: 'upkeep',
  build: 'upkeep',
  ci: 'upkeep',
  deps: 'upkeep',
  release: 'upkeep',
};

const byWords: Array<[RegExp, Reason]> = [
  [/^revert\b/i, 'revert'],
  [
    /\b(?:fix(?:e[sd]|ing)?|bugs?|crash(?:e[sd])?|regression|broken|incorrect|wrong(?:ly)?|leaks?|deadlock|CVE-\d+)\b/i,
    'fix',
  ],
  [
    /\b(?:bump|upgrade|release|version|dependenc(?:y|ies)|changelog|licen[cs]e|copyright|lint(?:er)?|CI|prettier|gofmt|rustfmt|clippy)\b/i,
    'upkeep',
  ],
  [
    /\b(?:faster|speed|perf(?:ormance)?|optimi[sz]e[sd]?|optimi[sz]ation|cache|bytes|smaller|golf)\b/i,
    'performance',
  ],
  [/\b(?:docs?|documentation|typos?|comments?|readme|spelling|godoc|docstrings?)\b/i, 'documentation'],
  [/\btests?\b/i, 'test'],
  [
    /\b(?:refactor\w*|renam(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|clean(?:s|ed|up)?|simplif(?:y|ies|ied)|extract(?:s|ed)?|split|inline[sd]?|remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|drop(?:s|ped)?|unused|reorgani[sz]e[sd]?|restructure[sd]?|convert(?:s|ed)?|format(?:s|ted)?|style|use)\b/i,
    'refactoring',
  ],
  [
    /\b(?:add(?:s|ed|ing)?|implement(?:s|ed)?|support(?:s|ed)?|introduc(?:e[sd]?|ing)|allow(?:s|ed)?|new|creat(?:e[sd]?|ing)|initial|feature|expose[sd]?|enable[sd]?|provide[sd]?|first)\b/i,
    'feature',
  ],
];

const issuePattern = /(?<![\w&/])#\d{1,7}\b|\bGH-\d{1,7}\b|\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/g;
const notIssue = /^(?:UTF|ISO|SHA|RFC|CVE|ES|HTTP|TLS|AES|MD)-/;
const because =
  /\b(?:because|since|so that|otherwise|to avoid|in order to|prevents?|this (?:fixes|means|allows|makes)|the (?:problem|reason|issue|bug)|instead of|previously|would)\b/i;
const longest = 200;

export interface CommitReason {
  reason: Reason;
  /** Issues and pull requests that the message names. */
  issues: string[];
  /** The sentence of the message that says why, if there is one. */
  why?: string | undefined;
}

/** Why a commit was made, as far as its message tells. */
export function reasonOf(message: string): CommitReason {
  const [subject = '', ...rest] = message.split('\n');
  const type = parseConventional(message)?.type;
  const reason =
    (type !== undefined && Object.hasOwn(byType, type) ? byType[type] : undefined) ??
    byWords.find(([pattern]) => pattern.test(subject))?.[1] ??
    'other';
  const issues = [...new Set(message.match(issuePattern) ?? [])].filter((issue) => !notIssue.test(issue));
  const sentences = sentencesOf(rest);
  const why = sentences.find((sentence) => because.test(sentence)) ?? sentences[0];
  return { reason, issues: issues.slice(0, 10), why: why && cut(why, longest) };
}

const sentencesOf = (lines: string[]): string[] =>
  lines
    .filter(
      (line) =>
        !/^\s*(?:[A-Z][\w-]+: |\* |This reverts commit|\(cherry picked)|^[\s>#|-]*$|^tags:/i.test(line),
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/^[-*\s]+/, '').trim())
    .filter((sentence) => sentence.length > 15);

/** At a space, so that no word is cut in two. */
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/\s+\S*$/, '')}…` : text;

const explanation = 400;

/** What a message says below its title: from its beginning, and the sentence that gives the reason wherever it stands. */
export function explanationOf(message: string): string {
  const sentences = sentencesOf(message.split('\n').slice(1));
  const told = sentences.join(' ');
  const why = sentences.find((sentence) => because.test(sentence));
  const opening = cut(told, explanation);
  if (!why || told.length <= explanation || opening.includes(why)) return opening;
  const half = explanation / 2;
  return `${cut(sentences[0] ?? '', half)} … ${cut(why, explanation - half)}`;
}
