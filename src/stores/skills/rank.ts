import { createHash } from 'node:crypto';
import { createTextSet, type TextSet, type TextVectors } from '../../base/search/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { SkillDescriptor } from './skill.ts';

export type RankedSkill<Skill extends SkillDescriptor = SkillDescriptor> = Skill & { score: number };

export type Ranker = <Skill extends SkillDescriptor>(
  skills: Skill[],
  query: string,
  limit: number,
) => Promise<RankedSkill<Skill>[]>;

/** Weight of meaning relative to words: tuned on the tuning half of public requests. */
const meaningWeights = { static: 1, model: 3 };

interface IndexedSkills {
  mark: string;
  texts: TextSet;
  /** The subject text of each skill, by its digest: it is embedded once, whichever source it comes from. */
  keys: string[];
  byKey: Map<string, string>;
}

/** Words of name and description, and their meaning where available. */
export function createRanker(vectors: Pick<TextVectors, 'nearness'> | undefined): Ranker {
  let index: IndexedSkills | undefined;
  return async (skills, query, limit) => {
    if (skills.length === 0 || query.trim() === '') return [];
    const mark = skills.map(({ id, name, description }) => `${id}\n${name}\n${description}`).join('\0');
    if (index?.mark !== mark) index = indexSkills(skills, mark);
    const { texts, keys, byKey } = index;
    const words = texts.scores([...new Set(searchWords(query))]);
    const near = await vectors?.nearness(
      query,
      keys,
      (wanted) => new Map(wanted.map((key) => [key, byKey.get(key) ?? ''])),
    );
    const best = near ? Math.max(...words, 1e-9) : 1;
    const weight = near ? meaningWeights[near.tier] : 0;
    const scoreAt = (at: number) => (words[at] ?? 0) / best + weight * (near?.of(keys[at] ?? '') ?? 0);
    return skills
      .map((skill, at) => ({ ...skill, score: Math.round(scoreAt(at) * 1e4) / 1e4 }))
      .filter((skill) => skill.score > 0)
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .slice(0, limit);
  };
}

function indexSkills(skills: SkillDescriptor[], mark: string): IndexedSkills {
  const abouts = skills.map(({ name, description }) => `${name.replace(/[-_]/g, ' ')}: ${description}`);
  const keys = abouts.map((about) => createHash('sha1').update(about).digest('base64url'));
  return {
    mark,
    texts: createTextSet(
      skills.map(({ name, description }) => [searchWords(`${name} ${description}`)]),
      [1],
    ),
    keys,
    byKey: new Map(keys.map((key, at) => [key, abouts[at] ?? ''])),
  };
}
