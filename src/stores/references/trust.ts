import type { TopicKind } from './topic.ts';

/** Nothing that was fetched stands above official documentation. */
const levels: Record<TopicKind, number> = {
  rfc: 70,
  documentation: 70,
  paper: 60,
  best_practice: 60,
  tutorial: 60,
  question_and_answer: 30,
  blog_post: 30,
};

/** The kind sets the level; a low score of the author's own lowers it, a high one never raises it. */
export const trustLevel = (kind: TopicKind, trustScore: number): number =>
  Math.min(levels[kind], trustScore * 10);
