import type { TimeScope } from '../../../base/text/index.ts';
import type { RecallQuery } from '../../recall/index.ts';
import type { LookUp } from './look-up-forms.ts';

/** Who can be spoken to. The first three and the Guide answer now; the others need agents. */
export const targets = [
  'librarian',
  'archivalist',
  'academic',
  'architect',
  'designer',
  'engineer',
  'inspector',
  'tester',
  'orchestrator',
  'guide',
] as const;
export type Target = (typeof targets)[number];

/** Those who answer questions without a model. */
export const specialists = ['librarian', 'archivalist', 'academic'] as const satisfies readonly Target[];
export type Specialist = (typeof specialists)[number];
export const isSpecialist = (target: string): target is Specialist =>
  specialists.some((each) => each === target);

/** What a message does: asks, tells to keep, asks before acting, announces, reports as done. */
export const verbs = ['recall', 'store', 'check', 'declare', 'complete'] as const;
export type Verb = (typeof verbs)[number];

/** What a message wants from its target. Told things have the intent GENERAL at the Archivalist. */
export const intentsOf = {
  librarian: ['LOCATE', 'PATTERN', 'EXPLAIN', 'GENERAL'],
  archivalist: ['HISTORICAL', 'ACTIVITY', 'OUTCOME', 'SIMILAR', 'RESUME', 'GENERAL'],
  academic: ['RESEARCH'],
  architect: ['PLAN', 'CHANGE'],
  designer: ['DESIGN'],
  engineer: ['TASK'],
  inspector: ['INSPECT'],
  tester: ['TEST'],
  orchestrator: ['STATUS'],
  guide: ['HELP', 'STATUS', 'SESSION'],
} as const satisfies Record<Target, readonly string[]>;
export type Intent = (typeof intentsOf)[Target][number];
/** What a target is asked for where nothing says more. */
export const usualIntent = (target: Target): Intent => intentsOf[target].at(-1) ?? 'GENERAL';
/** What a question can want of a specialist. */
export type QuestionIntent = (typeof intentsOf)[Specialist][number];
export const intents = [...new Set(Object.values(intentsOf).flat())] as [Intent, ...Intent[]];

/** The tier that decided. `model` is the only one whose decision is kept; `cache` is such a decision, found again. */
export const methods = ['command', 'address', 'cache', 'rules', 'examples', 'model', 'default'] as const;
export type Method = (typeof methods)[number];

/** Where the work stands, when somebody knows: inspection and testing have a first person to talk to. */
export const phases = ['research', 'planning', 'execution', 'inspection', 'testing'] as const;
export type Phase = (typeof phases)[number];

/** One place a message can go to, before anything is read off its words. */
export interface Lane {
  target: Target;
  intent: Intent;
  verb: Verb;
}

export interface Classification extends Lane {
  /** In snake_case; empty where there is none. */
  subject: string;
  time_scope?: TimeScope;
  /** 0–1. From 0.8 on a cache may take the subject as its key. */
  confidence: number;
  method: Method;
  /** Why, in words that a person understands. */
  reason: string;
  /** Nothing fitted: it goes to the Librarian's search, and says so. */
  unsure: boolean;
  /** Who is asked besides: best practice is answered beside how this code does it. */
  also: Target[];
  /** For a command: what it is and what it is given. */
  command?: { name: string; arguments: string[] };
}

/** A question, read once: who answers it, what it wants, and how it can be found. */
export interface ReadQuestion extends Classification {
  text: string;
  /** How recall matches it: as a name, a path, quoted text, words or a question. */
  query: RecallQuery;
  /** What it asks of the index, where its form says that exactly. */
  lookUp?: LookUp | undefined;
  /** What it wants if the code is searched for it, whoever it is for. */
  codeIntent: QuestionIntent;
}

/** From here on a subject may serve as the key of a cache. */
export const sureEnough = 0.8;

export const answersNow: ReadonlySet<Target> = new Set<Target>([
  'librarian',
  'archivalist',
  'academic',
  'guide',
]);
