import { dirname } from 'node:path';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { tree } from '../../base/files/index.ts';
import type { SkillEngine } from './engine.ts';

const lockedSkill = z.object({
  id: z.string(),
  source: z.string(),
  location: z.string(),
  /** The commit that was served, for git. */
  commit: z.string().optional(),
  digest: z.string(),
});
export type LockedSkill = z.infer<typeof lockedSkill>;

const lockFile = z.object({ version: z.literal(1), skills: z.array(lockedSkill) });

/** The lock is a file of the repository, in a directory of its root: neither may be a link. */
const rootOf = (path: string): string => dirname(dirname(path));

export const drift = z.object({
  id: z.string(),
  kind: z.enum(['changed', 'missing', 'added', 'moved']),
  detail: z.string(),
});
export type Drift = z.infer<typeof drift>;

/** The current skills that have a location of their own: built-in ones change with the product. */
export async function lockableSkills(engine: SkillEngine, projectRoot: string): Promise<LockedSkill[]> {
  const locked: LockedSkill[] = [];
  for (const skill of await engine.listSkills()) {
    const origin = await engine.originOf(skill.id);
    if (origin.kind === 'embedded') continue;
    locked.push({
      id: skill.id,
      source: skill.source_name,
      location: withoutRoot(origin.location, projectRoot),
      commit: origin.revision || undefined,
      digest: await engine.digest(skill.id),
    });
  }
  return locked;
}

/** The lock is shared by a team: a location inside the repository is written relative to it. */
const withoutRoot = (location: string, root: string): string =>
  location.startsWith(`${root}/`) ? location.slice(root.length + 1) : location;

export function writeLock(path: string, skills: LockedSkill[]): void {
  tree.write(rootOf(path), path, `${JSON.stringify({ version: 1, skills }, null, 2)}\n`);
}

export function readLock(path: string): LockedSkill[] {
  const text = tree.readText(rootOf(path), path);
  if (text === undefined)
    throw new SylkError('NOT_FOUND', `No lock file at ${path}.`, {
      hint: 'Run `sylk skills lock` to write one.',
    });
  try {
    return lockFile.parse(JSON.parse(text)).skills;
  } catch {
    throw new SylkError('VALIDATION_ERROR', `${path}:1: not a lock file of skills.`, {
      hint: 'Restore it from git, or write a new one with `sylk skills lock`.',
    });
  }
}

/** A moved commit with unchanged texts is no drift; a changed text under any commit is. */
export function compareLock(locked: LockedSkill[], present: LockedSkill[]): Drift[] {
  const now = new Map(present.map((skill) => [skill.id, skill]));
  const found: Drift[] = [];
  for (const before of locked) {
    const skill = now.get(before.id);
    now.delete(before.id);
    if (!skill) found.push({ id: before.id, kind: 'missing', detail: `was in ${before.source}` });
    else if (skill.digest !== before.digest)
      found.push({
        id: before.id,
        kind: 'changed',
        detail: `${before.digest.slice(0, 19)} → ${skill.digest.slice(0, 19)}`,
      });
    else if (skill.location !== before.location)
      found.push({ id: before.id, kind: 'moved', detail: `${before.location} → ${skill.location}` });
  }
  for (const skill of now.values()) found.push({ id: skill.id, kind: 'added', detail: `in ${skill.source}` });
  return found;
}
