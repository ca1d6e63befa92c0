import { createHash } from 'node:crypto';
import { filesystemSource, type SkillDescriptor } from '../src/sdk.ts';

/** One request with the skill that its own author wrote it for. */
export interface SkillCase {
  request: string;
  id: string;
}

export interface CaseSet {
  skills: SkillDescriptor[];
  /** Weights are chosen on these only. */
  tuning: SkillCase[];
  /** What is reported. */
  held: SkillCase[];
}

interface Document {
  skill: SkillDescriptor;
  body: string;
}

/**
 * Public collections hold many copies: one skill of a name and of a description is kept, and English text only.
 * What `known` collections hold is left out altogether.
 */
export async function readCollections(roots: string[], known: string[] = []): Promise<Document[]> {
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const root of known)
    for (const skill of await filesystemSource({ root }).list())
      seen.add(skill.name.toLowerCase()).add(skill.description.toLowerCase().slice(0, 80));
  for (const root of roots) {
    const source = filesystemSource({ root });
    for (const skill of await source.list()) {
      const name = skill.name.toLowerCase();
      const about = skill.description.toLowerCase().slice(0, 80);
      const foreign = skill.description.replace(/[\x20-\x7e\s]/g, '').length;
      if (foreign > skill.description.length / 10 || skill.description.length < 40) continue;
      if (seen.has(name) || seen.has(about)) continue;
      seen.add(name).add(about);
      documents.push({ skill, body: (await source.load(skill.id)).body });
    }
  }
  return documents;
}

const heading =
  /^#{1,6}.*\b(?:example (?:interactions?|prompts?|requests?|queries|questions)|sample (?:prompts?|requests?)|trigger(?:s| phrases| examples)?|when to use|user requests?|usage examples?)\b/i;
const quotedLine = /^\s*(?:[-*]|\d+\.)\s*["“]([^"”\n]{20,160})["”]\s*$/;

/** Requests that authors give as examples in the body, which the ranking never reads. */
export function requestsFromBodies(documents: Document[]): SkillCase[] {
  const cases: SkillCase[] = [];
  for (const { skill, body } of documents) {
    let listening = false;
    let taken = 0;
    for (const line of body.split('\n')) {
      if (/^#/.test(line)) listening = heading.test(line);
      const request = listening ? quotedLine.exec(line)?.[1] : undefined;
      if (!request || taken >= 2 || /[[\]{}<>]/.test(request) || request.split(/\s+/).length < 4) continue;
      taken++;
      cases.push({ request, id: skill.id });
    }
  }
  return cases;
}

const trigger =
  /(?<=[.!?]["”')]?\s)(?:Use (?:this skill |it )?(?:when|whenever|for|if)|Triggers? (?:on|when)|Invoke when|Activate when)\b.*$/s;

/** Descriptions cut in two: what it does is ranked, and when to use it, which the ranking never sees, is the request. */
export function requestsFromTriggers(documents: Document[]): {
  skills: SkillDescriptor[];
  cases: SkillCase[];
} {
  const cases: SkillCase[] = [];
  const skills = documents.map(({ skill }) => {
    const found = trigger.exec(skill.description);
    const rest = found ? skill.description.slice(0, found.index).trim() : skill.description;
    if (!found || rest.length < 40) return skill;
    const request = found[0]
      .replace(
        /^(?:Use (?:this skill |it )?(?:when|whenever|for|if)|Triggers? (?:on|when)|Invoke when|Activate when)\b:?/,
        '',
      )
      .replace(/^\s*(?:the )?users? (?:wants?|needs?|asks?)(?: (?:to|for|about|you to))?/i, '')
      .trim()
      .slice(0, 200);
    if (request.split(/\s+/).length < 5) return skill;
    cases.push({ request, id: skill.id });
    return { ...skill, description: rest };
  });
  return { skills, cases };
}

/** By the collection a skill comes from, so that one author's habits are on one side only. */
export function split(skills: SkillDescriptor[], cases: SkillCase[]): CaseSet {
  const tuned = (id: string) => {
    const author = id.split('/')[0]!;
    return createHash('sha256').update(author).digest()[0]! % 2 === 0;
  };
  return { skills, tuning: cases.filter(({ id }) => tuned(id)), held: cases.filter(({ id }) => !tuned(id)) };
}

export interface Score {
  first: number;
  five: number;
  reciprocal: number;
  /** 1/place of each case, in the order of the cases. */
  each: number[];
}

/** Share of cases whose skill is first, among the first five, and the mean of 1/place among the first ten. */
export async function score(
  cases: SkillCase[],
  rank: (request: string) => Promise<string[]>,
): Promise<Score> {
  const sum = { first: 0, five: 0, reciprocal: 0 };
  const each: number[] = [];
  for (const { request, id } of cases) {
    const at = (await rank(request)).slice(0, 10).indexOf(id);
    if (at === 0) sum.first++;
    if (at >= 0 && at < 5) sum.five++;
    each.push(at >= 0 ? 1 / (at + 1) : 0);
    sum.reciprocal += each.at(-1)!;
  }
  const share = (value: number) => value / Math.max(1, cases.length);
  return { first: share(sum.first), five: share(sum.five), reciprocal: share(sum.reciprocal), each };
}

/** The middle 95 of 100 means of the differences, over samples drawn with replacement by a fixed seed. */
export function interval(ours: number[], theirs: number[], seed = 7): [number, number] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const means = Array.from({ length: 2000 }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < ours.length; drawn++) {
      const at = Math.floor(random() * ours.length);
      sum += ours[at]! - theirs[at]!;
    }
    return sum / ours.length;
  }).sort((one, other) => one - other);
  return [means[50]!, means[1949]!];
}

/** Spread evenly over the whole: the skills that cases are about, and others up to `count`. */
export function cutTo(set: CaseSet, count: number, cases: number): CaseSet {
  const tuning = spread(set.tuning, cases);
  const held = spread(set.held, cases);
  const needed = new Set([...tuning, ...held].map(({ id }) => id));
  const others = spread(
    set.skills.filter((skill) => !needed.has(skill.id)),
    count - needed.size,
  );
  for (const { id } of others) needed.add(id);
  return { skills: set.skills.filter((skill) => needed.has(skill.id)), tuning, held };
}

function spread<T>(items: T[], count: number): T[] {
  const step = Math.max(1, Math.floor(items.length / Math.max(1, count)));
  return items.filter((_item, at) => at % step === 0).slice(0, Math.max(0, count));
}
