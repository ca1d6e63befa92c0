import type { Domain } from '../../stores/passages/index.ts';
import type { Card, SourceKind, Verified } from '../recall/index.ts';
import type { Segment } from './mitigations/citations.ts';
import type { DetectedConflict } from './mitigations/conflicts.ts';
import type { ReadQuestion, Specialist } from './reader/index.ts';

/** A language model that writes an answer from a prompt. None is built in. */
export type AnswerModel = (request: {
  system: string;
  user: string;
  signal?: AbortSignal;
}) => Promise<{ text: string; tokens: number }>;

export interface Question {
  text: string;
  /** Where it was read before; it is read here otherwise. */
  read?: ReadQuestion;
  /** With domains or a folder, everything there is searched, whoever the question is for. */
  domains?: Domain[];
  path?: string;
  tokenBudget?: number;
  thoroughness?: 'quick' | 'moderate' | 'thorough';
  /** Writes an answer from the sources where they do not suffice. */
  model?: AnswerModel;
  signal?: AbortSignal;
}

/** Who asks: a session sees its own entries besides those that were shared. */
export interface Viewer {
  session: string;
  /** The kind of caller; what a person is answered is not reused for an agent's routing. */
  kind?: string;
}

/** A result of recall. */
export type FoundCard = Omit<Card, 'score' | 'trust' | 'warning' | 'parts'>;

/** What is known about a thing besides its text: who said it, how it was checked, what took its place. */
export interface SourceFacts {
  kind: SourceKind;
  text: string;
  /** Milliseconds since the epoch; 0 where nobody knows. */
  at: number;
  url?: string;
  byPerson?: boolean;
  verification?: Verified;
  /** A person looked at it and said no. */
  rejected?: boolean;
  stale?: boolean;
  changed?: boolean;
  /** From when on it has to be fetched again; milliseconds since the epoch. */
  staleAt?: number;
  /** It documents another version than the one in use: which, in words. */
  otherVersion?: string;
  trustScore?: number;
  lineage?: number[];
  expiresAt?: number | null;
  supersededBy?: string;
  /** Title of what took its place, to be shown with it. */
  currentTitle?: string;
  via?: 'code' | 'history' | 'academic' | 'llm_inference' | 'user_provided';
}

export interface Citation {
  n: number;
  ref: string;
  domain: string;
  place: string;
  reason: string;
  /** As people see it: remembered things step down with age. */
  trust: number;
  trust_name: string;
  /** 0–1. */
  freshness: number;
  /** "verified, current", "⚠️ UNVERIFIED", "45 days old". */
  state: string;
  quality: number;
  /** ISO date. */
  updated?: string;
  snippet?: string;
  warnings?: string[];
  /** It was replaced: by what, and what that is called. */
  superseded_by?: string;
  current?: string;
}

export type AnsweredConflict = Omit<DetectedConflict, 'places'> & {
  /** Known to the graph under this id, when it was recorded. */
  id?: string;
  resolved: boolean;
};

/** What a search of the repository or a specialist answers. */
export interface SearchAnswer {
  answer: string;
  status: 'ok' | 'no_matches';
  /** 1 from the cache, 2 from what is stored, 3 written by a model. */
  level: 1 | 2 | 3;
  intent: string;
  subject: string;
  cost: {
    /** Tokens that a model was paid for. */
    model_tokens: number;
    /** Tokens that an answer from the cache did not cost again. */
    saved_tokens?: number;
  };
  tokens_used: number;
  citations: Citation[];
  /** One line for each citation, as footnotes. */
  sources: string[];
  conflicts: AnsweredConflict[];
  segments: Segment[];
  /** Level 2 answers fully. */
  sufficient: boolean;
  /** What level 3 would add, where it was not used and would. */
  would_add?: string;
  confidence: number;
  /** Of a written answer: what it says without a source, what it warns of, and what the code refutes. */
  inferences?: string[];
  warnings?: string[];
  also_exists_in?: string[];
  suggestions?: string[];
  hint?: string;
  notes: string[];
}

export interface Answer extends SearchAnswer {
  target: Specialist;
  /** Who answered and why, in one line. */
  route: string;
  /** What to do besides, where the message is not a question for a specialist. */
  next_step?: string;
}

/** The parts of an answer that judging its sources gives. */
export type JudgedParts = Pick<SearchAnswer, 'answer' | 'citations' | 'sources' | 'conflicts' | 'segments'>;
