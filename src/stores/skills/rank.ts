import { type Log, silentLog } from '../../base/log.ts';
import { searchWords } from '../../base/text/index.ts';
import type { SkillDescriptor } from './skill.ts';

export type RankedSkill<Skill extends SkillDescriptor = SkillDescriptor> = Skill & { score: number };

export interface Meaning {
  /** How near each text is to the query, in the order given; undefined where that is not known yet. */
  values: Array<number | undefined>;
  /** How much it counts beside words. */
  weight: number;
}

export interface SkillVectors {
  similarities(query: string, texts: string[]): Promise<Meaning>;
}

interface WordIndex {
  skills: readonly SkillDescriptor[];
  /** Word → which skill, how often. */
  postings: Map<string, Array<[skill: number, times: number]>>;
  lengths: number[];
  averageLength: number;
}

const k1 = 1.2;
const b = 0.75;

export type Ranker = <Skill extends SkillDescriptor>(
  skills: Skill[],
  query: string,
  limit: number,
) => Promise<RankedSkill<Skill>[]>;

/** Words (BM25 over name and description, with stems and split identifiers), and meaning where it is known. */
export function createRanker({
  vectors,
  log = silentLog,
}: {
  vectors?: SkillVectors | undefined;
  log?: Log;
}): Ranker {
  let index: WordIndex | undefined;
  return async (skills, query, limit) => {
    if (skills.length === 0 || query.trim() === '') return [];
    if (!index || !sameSkills(index.skills, skills)) index = indexWords(skills);
    const words = bm25(index, [...new Set(searchWords(query))]);
    const scores = await withMeaning(words, query, skills);
    return skills
      .map((skill, at) => ({ ...skill, score: Math.round(scores[at]! * 1e4) / 1e4 }))
      .filter((skill) => skill.score > 0)
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  };

  async function withMeaning(words: number[], query: string, skills: SkillDescriptor[]): Promise<number[]> {
    if (!vectors) return words;
    try {
      return fuse(words, await vectors.similarities(query, skills.map(textOf)));
    } catch (error) {
      log.warn('Skills are ranked by words only', { error: String(error) });
      return words;
    }
  }
}

const textOf = (skill: SkillDescriptor): string =>
  `${skill.name.replace(/[-_]/g, ' ')}: ${skill.description}`;

const sameSkills = (one: readonly SkillDescriptor[], other: readonly SkillDescriptor[]): boolean =>
  one.length === other.length &&
  one.every(
    (skill, at) =>
      skill.id === other[at]!.id &&
      skill.name === other[at]!.name &&
      skill.description === other[at]!.description,
  );

function indexWords(skills: readonly SkillDescriptor[]): WordIndex {
  const postings: WordIndex['postings'] = new Map();
  const lengths = skills.map((skill, at) => {
    const words = new Map<string, number>();
    for (const word of searchWords(`${skill.name} ${skill.description}`))
      words.set(word, (words.get(word) ?? 0) + 1);
    let length = 0;
    for (const [word, times] of words) {
      length += times;
      const posting = postings.get(word);
      if (posting) posting.push([at, times]);
      else postings.set(word, [[at, times]]);
    }
    return length;
  });
  return {
    skills,
    postings,
    lengths,
    averageLength: lengths.reduce((sum, length) => sum + length, 0) / skills.length || 1,
  };
}

function bm25({ skills, postings, lengths, averageLength }: WordIndex, wanted: string[]): number[] {
  const scores = new Array<number>(skills.length).fill(0);
  for (const word of wanted) {
    const posting = postings.get(word);
    if (!posting) continue;
    const weight = Math.log(1 + (skills.length - posting.length + 0.5) / (posting.length + 0.5));
    for (const [at, times] of posting)
      scores[at]! +=
        (weight * times * (k1 + 1)) / (times + k1 * (1 - b + (b * lengths[at]!) / averageLength));
  }
  return scores;
}

function fuse(words: number[], { values, weight }: Meaning): number[] {
  const most = Math.max(...words, 1e-9);
  return words.map((score, at) => score / most + weight * (values[at] ?? 0));
}
