/** An answer that was given once, with everything that decides whether it may be given again. */
export interface KeptAnswer {
  id: number;
  agent: string;
  intent: string;
  /** What the question is about, as whoever classified it named it. */
  subject: string;
  /** The words that make the question this one, in one form. */
  concept: string;
  /** Other names of the subject. */
  related: string[];
  /** The time that was asked about; '' for none. */
  time: string;
  /** Whose eyes: a session, everybody, or a person who sees all. */
  sees: string;
  /** The working tree where it differs from the base; '' for the base. */
  overlay: string;
  /** Everything else that shapes an answer. */
  shape: string;
  asked: string;
  answer: string;
  tokens: number;
  complete: boolean;
  /** Content of each cited file when the answer was kept. */
  files: Record<string, string>;
  /** What each cited directory held. */
  directories: Record<string, string>;
  refs: Record<string, string>;
  /** States of the world that it depends on. */
  versions: Record<string, string>;
  vector: Float32Array | undefined;
  /** What made the vector; vectors of different makers are not compared. */
  maker: string;
  madeAt: number;
  usedAt: number;
  hits: number;
}

export type NewAnswer = Omit<KeptAnswer, 'id' | 'usedAt' | 'hits'>;

export interface AnswerCounts {
  hits: number;
  misses: number;
  invalidations: number;
  expired: number;
  evicted: number;
  tokens_saved: number;
}
export type AnswerEvent = Exclude<keyof AnswerCounts, 'tokens_saved'>;
