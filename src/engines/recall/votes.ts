import { reportOf } from '../../base/errors.ts';
import type { EmbeddedQuestion, Meaning } from './meaning.ts';
import type { Signals } from './source.ts';

/** Files that a commit changed, as they are called now, and how old it is: 0 the newest, 1 the first of a long history. */
export type FilesOfCommit = (sha: string) => { files: string[]; age: number };

export interface VoteRequest {
  meaning: Meaning;
  question: EmbeddedQuestion;
  /** The commits that stand behind a vector's key. */
  commitsOf: (keys: string[]) => Array<{ owner: string; key: string }>;
  filesOf: FilesOfCommit;
  notes: string[];
}

const voters = 80;
/** A commit that is further from the nearest one than this counts a third, one twice as far a ninth. */
const reach = 0.08;
/** A commit that touches more says nothing about any of its files. */
const bulk = 50;

/** Commits whose messages mean something similar vote for the files they changed; large commits share their vote. */
export function voteByMeaning(
  request: VoteRequest,
  candidateOf: (owner: string) => { signals: Signals },
): void {
  const { meaning, question, notes } = request;
  if (!question.vector) return;
  try {
    const near = meaning.space('commits').search(question.vector, voters);
    const scores = new Map(near.map((match) => [match.key, match.score]));
    const nearest = near[0]?.score ?? 0;
    for (const { owner, key } of request.commitsOf([...scores.keys()])) {
      const { files, age } = request.filesOf(owner);
      const similarity = scores.get(key) ?? 0;
      if (similarity <= 0 || files.length === 0 || files.length > bulk) continue;
      const vote = Math.exp((similarity - nearest) / reach - 3 * age) / Math.sqrt(files.length);
      for (const file of files) {
        const { signals } = candidateOf(file);
        signals['meaning_votes'] = (signals['meaning_votes'] ?? 0) + vote;
      }
    }
  } catch (error) {
    notes.push(`commits did not vote: ${reportOf(error).message}`);
  }
}
