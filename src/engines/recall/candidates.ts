import { reportOf } from '../../base/errors.ts';
import type { Domain, Passage, Passages } from '../../stores/passages/index.ts';
import type { EmbeddedQuestion, Meaning } from './meaning.ts';
import type { RecallQuery } from './query.ts';
import type { FilesOfCommit, RecallSource, Signals } from './source.ts';

/** A thing that may answer the question: its signals, and its passages that speak for it, best first. */
export interface Candidate {
  owner: string;
  domain: Domain;
  signals: Signals;
  passages: FoundPassage[];
  /** Names exactly what was asked: 2 defines it, 1 contains or is called it, 0 neither. */
  letter: 0 | 1 | 2;
  updated: number;
}

export interface FoundPassage extends Passage {
  words: number;
  /** Cosine similarity with the question. */
  similarity: number;
}

export interface GatherRequest {
  passages: Passages;
  meaning: Meaning;
  sources: RecallSource[];
  domain: Domain;
  query: RecallQuery;
  question: EmbeddedQuestion;
  path?: string;
  /** How many passages each signal may bring. */
  depth: number;
  notes: string[];
  /** For files: which of them a commit changed. */
  filesOfCommit?: () => Promise<FilesOfCommit>;
}

/** Everything of one domain that any signal finds, with all signals, not yet ordered. */
export async function gather(request: GatherRequest): Promise<Candidate[]> {
  const { domain, query, path, depth } = request;
  const found = new Map<number, FoundPassage>();
  for (const match of request.passages.search({ text: query.text, domain, limit: depth, path }))
    found.set(match.id, { ...match, words: match.score, similarity: 0 });
  for (const passage of nearest(request)) {
    const known = found.get(passage.id);
    if (known) known.similarity = passage.similarity;
    else found.set(passage.id, passage);
  }
  const candidates = new Map<string, Candidate>();
  const candidateOf = (owner: string): Candidate => {
    let candidate = candidates.get(owner);
    if (!candidate) {
      candidate = { owner, domain, signals: {}, passages: [], letter: 0, updated: 0 };
      candidates.set(owner, candidate);
    }
    return candidate;
  };
  for (const passage of found.values()) {
    const candidate = candidateOf(passage.owner);
    candidate.passages.push(passage);
    candidate.updated = passage.updated;
    raise(candidate.signals, 'content', passage.words);
    candidate.signals['breadth'] = (candidate.signals['breadth'] ?? 0) + passage.words;
    raise(candidate.signals, 'meaning', Math.max(0, passage.similarity));
  }
  if (domain === 'code' && request.filesOfCommit) {
    const inPlace = (owner: string) => (!path || isUnder(owner, path) ? candidateOf(owner) : outside);
    const outside = { owner: '', domain, signals: {}, passages: [], letter: 0 as const, updated: 0 };
    voteByMeaning(
      {
        meaning: request.meaning,
        question: request.question,
        commitsOf: (keys) => request.passages.byKey('commits', keys),
        filesOf: await request.filesOfCommit(),
        notes: request.notes,
      },
      inPlace,
    );
  }
  await addSourceSignals(request, [...candidates.keys()], candidateOf);
  return [...candidates.values()];
}

const raise = (signals: Signals, name: string, value: number): void => {
  if (value > (signals[name] ?? 0)) signals[name] = value;
};

/** Passages by meaning. Whatever goes wrong here is a note: words still answer. */
function nearest({ passages, meaning, domain, question, path, depth, notes }: GatherRequest): FoundPassage[] {
  if (!question.vector) return [];
  try {
    // The place is asked for before the nearest are taken: what lies elsewhere takes nothing from it.
    const inPlace = path ? passages.keysUnder(domain, path) : undefined;
    const matches = meaning
      .space(domain)
      .search(question.vector, depth, inPlace && ((key) => inPlace.has(key)));
    const scores = new Map(matches.map((match) => [match.key, match.score]));
    return passages
      .byKey(domain, [...scores.keys()])
      .filter((passage) => !path || isUnder(passage.owner, path))
      .map((passage) => ({ ...passage, words: 0, similarity: scores.get(passage.key) ?? 0 }));
  } catch (error) {
    notes.push(`search by meaning is off in ${domain}: ${reportOf(error).message}`);
    return [];
  }
}

export const isUnder = (owner: string, path: string): boolean => {
  const folder = path.replace(/\/+$/, '');
  return owner === folder || owner.startsWith(`${folder}/`);
};

async function addSourceSignals(
  { sources, domain, query, path, depth, notes }: GatherRequest,
  found: string[],
  candidateOf: (owner: string) => Candidate,
): Promise<void> {
  for (const source of sources) {
    if (source.domain !== domain || !source.search) continue;
    try {
      for (const hit of await source.search(query.text, { limit: depth, found, path: path || undefined })) {
        if (path && !isUnder(hit.owner, path)) continue;
        const candidate = candidateOf(hit.owner);
        for (const [name, value] of Object.entries(hit.signals)) raise(candidate.signals, name, value);
        if (hit.exact) candidate.letter = 2;
      }
    } catch (error) {
      notes.push(`${source.name} did not answer: ${reportOf(error).message}`);
    }
  }
}

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
