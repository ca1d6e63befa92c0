import { collectionOf } from './ids.ts';
import type { SkillCollection, SkillDescriptor, SkillFilter, SkillSource } from './skill.ts';

/** Equal, or below at a `/`: `extraction` contains `extraction/medical`, never `extractions`. */
export const isInCollection = (id: string, collection: string): boolean => {
  const path = collectionOf(id);
  return collection === '' || path === collection || path.startsWith(`${collection}/`);
};

export function matchesFilter(skill: SkillDescriptor, filter: SkillFilter = {}): boolean {
  if (filter.collection !== undefined && !isInCollection(skill.id, trimPath(filter.collection))) return false;
  const wanted = filter.query?.trim().toLowerCase();
  if (!wanted) return true;
  return skill.name.toLowerCase().includes(wanted) || skill.description.toLowerCase().includes(wanted);
}

export const trimPath = (path: string): string => path.trim().replace(/^\/+|\/+$/g, '');

export const automaticDescription = (count: number): string => `${count} skills`;

/** Every path with skills at or below it, with their number, in code-point order. */
export function deriveCollections(
  skills: readonly Pick<SkillDescriptor, 'id'>[],
  descriptions: ReadonlyMap<string, string> = new Map(),
): SkillCollection[] {
  const counts = new Map<string, number>();
  for (const { id } of skills) {
    for (let path = collectionOf(id); path !== ''; path = collectionOf(path))
      counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts]
    .map(([path, count]) => ({
      path,
      description: descriptions.get(path) || automaticDescription(count),
      count,
    }))
    .sort(byPath);
}

export const collectionsOf = async (source: SkillSource): Promise<SkillCollection[]> =>
  source.collections ? source.collections() : deriveCollections(await source.list());

/** One level: its skills, and the collections directly below with their totals. */
export function partition<Skill extends SkillDescriptor>(
  path: string,
  skills: Skill[],
  collections: SkillCollection[],
): { subcollections: SkillCollection[]; skills: Skill[] } {
  return {
    subcollections: collections.filter((collection) => collectionOf(collection.path) === path),
    skills: skills.filter((skill) => collectionOf(skill.id) === path),
  };
}

/** Code-point order, the same on every machine. */
export const byId = (a: { id: string }, b: { id: string }): number => compare(a.id, b.id);
const byPath = (a: { path: string }, b: { path: string }): number => compare(a.path, b.path);
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
