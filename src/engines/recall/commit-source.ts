import { refOf } from '../../base/ref.ts';
import type { Freshness, RecallSource, SourceOwner } from './source.ts';

export interface CommitSourceOptions {
  /** Commits of HEAD's history that say something about files. */
  commits(): Iterable<SourceOwner> | Promise<Iterable<SourceOwner>>;
  generation?(): string | Promise<string>;
  /** The whole message. */
  message(sha: string): string | undefined | Promise<string | undefined>;
  freshness(): Freshness | Promise<Freshness>;
}

const longestMessage = 1500;

/** Commits, by what their messages say. */
export function createCommitSource(options: CommitSourceOptions): RecallSource {
  return {
    name: 'commits',
    domain: 'commits',
    trust: 90,
    owners: options.commits,
    generation: options.generation,
    ref: (sha) => refOf('commit', sha),
    text: options.message,
    freshness: options.freshness,
    chunks: async (sha) => {
      const message = (await options.message(sha))?.slice(0, longestMessage);
      if (message === undefined) return undefined;
      const lines = message.split('\n');
      return [{ path: '', startLine: 1, endLine: lines.length, heading: [], kind: 'prose', text: message }];
    },
  };
}
