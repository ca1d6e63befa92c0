import { z } from 'zod';
import type { Category } from '../../stores/chronicle/index.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { Card, SourceKind, Verified } from '../recall/index.ts';
import { conflictKinds } from './mitigations/conflicts.ts';
import type { ReadQuestion, Specialist } from './reader/index.ts';

/** A language model that writes an answer from a prompt. None is built in. */
export type AnswerModel = (request: {
  system: string;
  user: string;
  signal?: AbortSignal;
}) => Promise<{ text: string; tokens: number; usd?: number | undefined }>;

export interface Question {
  text: string;
  /** Set if it was read before; it is read here otherwise. */
  read?: ReadQuestion;
  /** With domains or a folder, everything there is searched, whatever the target is. */
  domains?: Domain[];
  path?: string;
  tokenBudget?: number;
  thoroughness?: 'quick' | 'moderate' | 'thorough';
  /** Writes an answer from the sources if they do not suffice. */
  model?: AnswerModel | undefined;
  signal?: AbortSignal;
}

/** The caller: a session sees its own and shared entries. */
export interface Viewer {
  session: string;
  /** The kind of caller; a person's answer is not reused for an agent's routing. */
  kind?: string;
  /** Nothing may be written on their behalf, so no model is paid for them. */
  readOnly?: boolean | undefined;
}

/** A session sees its own entries and those that were shared, never those of another; a person sees everything. */
export const sightOf = ({ session, kind }: Viewer): { session_id: string; sees_all: boolean } => ({
  session_id: session,
  sees_all: kind === 'person',
});

/** A result of recall. */
export type FoundCard = Omit<Card, 'score' | 'trust' | 'warning' | 'parts' | 'detail'> & {
  /** Which signals of recall matched. */
  matched?: string;
};

/** Facts about a source besides its text: author, verification, replacement. */
export interface SourceFacts {
  kind: SourceKind;
  text: string;
  /** Milliseconds since the epoch; 0 if unknown. */
  at: number;
  url?: string;
  byPerson?: boolean;
  /** Of an entry. */
  category?: Category;
  verification?: Verified;
  /** A person reviewed and rejected it. */
  rejected?: boolean;
  stale?: boolean;
  changed?: boolean;
  /** From when on it has to be fetched again; milliseconds since the epoch. */
  staleAt?: number;
  /** It documents another version than the installed one: which, in words. */
  otherVersion?: string;
  trustScore?: number;
  lineage?: number[];
  expiresAt?: number | null;
  supersededBy?: string;
  /** Title of its replacement. */
  currentTitle?: string;
  via?: 'code' | 'history' | 'academic' | 'llm_inference' | 'user_provided';
}

export const citationSchema = z.object({
  n: z.number(),
  ref: z.string(),
  domain: z.string(),
  place: z.string(),
  reason: z.string().describe('what it is: a heading, a commit with author and date'),
  matched: z.string().optional().describe('why it was found'),
  trust: z.number().describe('0–100, code is 100; remembered entries step down with age'),
  trust_name: z.string(),
  freshness: z.number().describe('0–1'),
  state: z.string().describe('verified, ⚠️ UNVERIFIED, 45 days old'),
  quality: z.number(),
  updated: z.string().optional(),
  snippet: z.string().optional(),
  warnings: z.array(z.string()).optional(),
  superseded_by: z.string().optional(),
  current: z.string().optional().describe('title of what replaced it'),
});
export type Citation = z.output<typeof citationSchema>;

const conflictSchema = z.object({
  kind: z.enum(conflictKinds),
  subject: z.string(),
  left: z.string(),
  right: z.string(),
  description: z.string(),
  resolution: z.string(),
  winner: z.string(),
  reason: z.string(),
  id: z.string().optional().describe('id of the record in the graph'),
  resolved: z.boolean(),
});
export type AnsweredConflict = z.output<typeof conflictSchema>;

/** The answer of a search or a specialist. */
export const searchAnswerSchema = z.object({
  answer: z.string(),
  status: z.enum(['ok', 'no_matches']),
  level: z.literal([1, 2, 3]).describe('1 cached, 2 from stored data, 3 written by a model'),
  intent: z.string(),
  subject: z.string(),
  cost: z.object({
    model_tokens: z.number(),
    usd: z.number().optional().describe('cost of the model call, if its price is known'),
    saved_tokens: z.number().optional().describe('tokens that the cached answer saved'),
  }),
  tokens_used: z.number(),
  citations: z.array(citationSchema),
  sources: z.array(z.string()).describe('a footnote for each citation'),
  conflicts: z.array(conflictSchema).describe('sources that contradict each other, and which wins'),
  segments: z.array(
    z.object({ text: z.string(), start: z.number(), end: z.number(), reference: z.string() }),
  ),
  sufficient: z.boolean().describe('false: see would_add'),
  would_add: z.string().optional().describe('what a model would add'),
  confidence: z.number(),
  inferences: z.array(z.string()).optional().describe('statements without a source'),
  warnings: z.array(z.string()).optional(),
  also_exists_in: z.array(z.string()).optional(),
  suggestions: z.array(z.string()).optional(),
  hint: z.string().optional(),
  notes: z.array(z.string()).describe('what was unavailable for this answer'),
});
export type SearchAnswer = z.output<typeof searchAnswerSchema>;

export interface Answer extends SearchAnswer {
  target: Specialist;
  /** Who answered and why, in one line. */
  route: string;
  /** The next step, if the message is not a question for a specialist. */
  next_step?: string;
  /** What was searched for instead of mistyped words, in sentences. */
  searched_for?: string[];
  /** What links say to the question, where they can answer it. */
  linked?: string[];
}

/** The parts of an answer that judging its sources gives. */
export type JudgedParts = Pick<SearchAnswer, 'answer' | 'citations' | 'sources' | 'conflicts' | 'segments'>;
