import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { looseList } from '../../base/loose-input.ts';

/** The kind of writing; it determines the trust level. */
export const topicKinds = [
  'documentation',
  'paper',
  'best_practice',
  'rfc',
  'question_and_answer',
  'blog_post',
  'tutorial',
] as const;
export type TopicKind = (typeof topicKinds)[number];

const paths = looseList(z.string().min(1).max(500)).optional();
const url = z.string().min(1).max(2000);

export const sourceSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('git'),
    url: url.describe('https:// or ssh:// URL of the repository'),
    ref: z.string().min(1).max(200).optional().describe('branch or tag (default: the default branch)'),
    paths: paths.describe('files, or directories ending in / (default: the entire repository)'),
    commit: z.string().max(64).optional().describe('set when fetched'),
  }),
  z.object({ type: z.literal('web'), url: url.describe('one page') }),
  z.object({
    type: z.literal('crawl'),
    url: url.describe('start URL; only its host is visited'),
    depth: z.coerce.number().int().min(0).max(3).default(2),
    max_pages: z.coerce.number().int().min(1).max(100).default(50),
  }),
  z.object({
    type: z.literal('local'),
    path: z.string().min(1).max(1000).describe('a directory or a file on this machine'),
    paths,
  }),
]);
export type TopicSource = z.output<typeof sourceSchema>;
export type GitSource = Extract<TopicSource, { type: 'git' }>;
export type CrawlSource = Extract<TopicSource, { type: 'crawl' }>;
export type LocalSource = Extract<TopicSource, { type: 'local' }>;

export const sourceName = (source: TopicSource): string =>
  source.type === 'local' ? source.path : source.url;

/** The content of topic.md, the truth about a topic. */
export interface Topic {
  id: string;
  title: string;
  created_at: string;
  /** The author's own rating, 1–10. */
  trust_score: number;
  tags: string[];
  /** As stored. `stale` is never stored: it is computed. */
  status: 'active' | 'obsolete';
  fetched_at: string;
  /** 0: never stale by age. */
  max_age_days: number;
  kind: TopicKind;
  /** The package that it documents and its version, if known. */
  library?: string;
  library_version?: string;
  authors?: string[];
  published_at?: string;
  venue?: string;
  files: string[];
  created_by: { agent: string; model: string };
  sources: TopicSource[];
  body: string;
}

/** Input of an agent or a person. */
export interface TopicDraft {
  title: string;
  body: string;
  sources: TopicSource[];
  tags: string[];
  max_age_days: number;
  trust_score: number;
  kind: TopicKind;
  library?: string | undefined;
  library_version?: string | undefined;
  authors?: string[] | undefined;
  published_at?: string | undefined;
  venue?: string | undefined;
}

/** A partial failure, reported next to the result. */
export interface SourceProblem {
  source: string;
  reason: string;
  message: string;
}

export type ShownStatus = 'active' | 'stale' | 'obsolete';

interface Aging {
  status: string;
  fetched_at: string;
  max_age_days: number;
}

const day = 86_400_000;

/** In this order: a topic without an age limit is never stale, even when obsolete; whole days; strictly more than the limit. */
export function isStale({ status, fetched_at, max_age_days }: Aging, now: number): boolean {
  if (max_age_days === 0) return false;
  if (status === 'obsolete') return true;
  return Math.floor((now - Date.parse(fetched_at)) / day) > max_age_days;
}

/** The time from which `isStale` is true by age alone. */
export const staleSince = ({ fetched_at, max_age_days }: Aging): string =>
  isoTime(Date.parse(fetched_at) + (max_age_days + 1) * day);

export const shownStatus = (topic: Aging, now: number): ShownStatus =>
  (topic.status === 'obsolete' && 'obsolete') || (isStale(topic, now) ? 'stale' : 'active');

/** Nothing fetched ranks above official documentation. */
const levels: Record<TopicKind, number> = {
  rfc: 70,
  documentation: 70,
  paper: 60,
  best_practice: 60,
  tutorial: 60,
  question_and_answer: 30,
  blog_post: 30,
};

/** The kind sets the level; a low rating by the author lowers it, a high one never raises it. */
export const trustLevel = (kind: TopicKind, trustScore: number): number =>
  Math.min(levels[kind], trustScore * 10);
