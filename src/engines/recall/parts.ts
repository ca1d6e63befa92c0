import type { Domain, Passages } from '../../stores/passages/index.ts';
import type { Meaning } from './meaning.ts';
import type { RecallSource } from './source.ts';
import type { FilesOfCommit } from './votes.ts';

/** What a search over one domain works with. */
export interface RecallParts {
  passages: Passages;
  meaning: Meaning;
  sources: RecallSource[];
  /** Which files a commit changed, when the history is known. */
  filesOfCommit?: () => Promise<FilesOfCommit>;
  /** Files that change together with one, with the share of its commits. */
  changedWith?: (owner: string) => Map<string, number>;
  /** How rare a word of a question is within a domain; unknown words count most. */
  rarity(domain: Domain, words: string[]): (word: string) => number;
}
