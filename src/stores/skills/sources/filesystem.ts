import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { isWithin, person, resolveInside } from '../../../base/files/index.ts';
import { visibleLine } from '../../../base/terminal-text.ts';
import { byId, deriveCollections, matchesFilter } from '../collections.ts';
import { requireSkillId, skillNotFound } from '../ids.ts';
import { parseSkill } from '../parse-skill.ts';
import type { SkillResource, SkillScope, SkillSource } from '../skill.ts';
import { type FoundSkill, locateSkill, type ScanMemory, scanSkills } from './scan.ts';
import { type SkillDoor, skillDoor } from './skill-door.ts';

export interface FilesystemSourceOptions {
  root: string;
  scope?: SkillScope;
  /** How far links may lead; the root itself by default. */
  boundary?: string;
  /** The folder relative to the root of a repository, for skills of the repository. */
  repository?: string | undefined;
}

/** Longer bodies are truncated long before they reach a model. */
const bodyBytes = 4 * 1024 * 1024;
const resourceBytes = 1024 * 1024;
const maxResources = 2000;
const maxDepth = 16;

/** A tree of directories; the path relative to its root is the id. Scanned on every call, parsed once. */
/** A folder supports every method of a source. */
export type FolderSource = Required<Omit<SkillSource, 'refresh'>> & { scope: SkillScope };

export function filesystemSource(options: FilesystemSourceOptions): FolderSource {
  const { root, scope = 'project', repository } = options;
  const memory: ScanMemory = new Map();
  const place = () => ({ root, scope, boundary: safeBoundary(options.boundary ?? root, root) });
  const door = () => skillDoor(scope, place().boundary);
  const scan = async () => scanSkills(place(), memory);
  const find = async (id: string): Promise<Omit<FoundSkill, 'descriptor'>> => {
    requireSkillId(id);
    const found = locateSkill(place(), id) ?? (await scan()).skills.get(id);
    if (!found) throw skillNotFound(id);
    return found;
  };
  return {
    scope,
    list: async (filter) =>
      [...(await scan()).skills.values()]
        .map((found) => found.descriptor)
        .filter((skill) => matchesFilter(skill, filter))
        .sort(byId),
    load: async (id) => {
      const found = await find(id);
      const text = door().read(found.file, { limit: bodyBytes, cut: true });
      const { document } = parseSkill(text, { id, file: found.file, scope });
      if (!document)
        throw skillNotFound(id, 'It just changed and no longer loads. Run `sylk skills check` to see why.');
      return document;
    },
    collections: async () => {
      const { skills, descriptions } = await scan();
      return deriveCollections(
        [...skills.keys()].map((id) => ({ id })),
        descriptions,
      );
    },
    problems: async () => (await scan()).problems,
    resources: async (id) =>
      filesOf(door(), (await find(id)).directory).filter((file) => file.path !== 'SKILL.md'),
    readResource: async (id, path) => {
      const found = await find(id);
      resolveInside(found.directory, path);
      const file = join(found.directory, path);
      // Only files that the digest covers are served.
      const name = relative(found.directory, file).split(sep).join('/');
      if (!filesOf(door(), found.directory).some((listed) => listed.path === name))
        throw new SylkError('NOT_FOUND', `Skill '${id}' has no file ${JSON.stringify(path.slice(0, 200))}`, {
          hint: 'Run `sylk skills read ID` to list its files.',
        });
      return door().read(file, { limit: resourceBytes, cut: true });
    },
    digest: async (id) => digestOf(door(), (await find(id)).directory),
    origin: () => ({ kind: 'filesystem', location: root, remote: false, repository }),
  };
}

const safeBoundary = (boundary: string, root: string): string => (person.exists(boundary) ? boundary : root);

/** Regular files in a skill's directory; targets of a person's links only if they stay inside. */
function filesOf(door: SkillDoor, directory: string): SkillResource[] {
  const files: SkillResource[] = [];
  const real = door.real(directory);
  const visit = (at: string, depth: number) => {
    if (depth > maxDepth) throw tooMany(directory);
    for (const entry of door.list(at)) {
      const path = join(at, entry.name);
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) visit(path, depth + 1);
      else {
        const found = door.entry(path);
        if (found?.kind !== 'file' || !isWithin(real, door.real(path))) continue;
        files.push({ path: relative(directory, path).split(sep).join('/'), bytes: found.size });
        if (files.length > maxResources) throw tooMany(directory);
      }
    }
  };
  visit(directory, 0);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const tooMany = (directory: string): SylkError =>
  new SylkError('BUDGET_EXCEEDED', `The skill at ${visibleLine(directory)} has too many files.`, {
    hint: `A skill can have at most ${maxResources} files, ${maxDepth} folders deep. Move the rest out of its folder.`,
  });

/** Digest of every file of the skill, by path and content: an added script changes it as much as an edited line. */
function digestOf(door: SkillDoor, directory: string): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of filesOf(door, directory)) {
    hash.update(`${path}\0${bytes}\0`);
    door.pieces(join(directory, path), (piece) => hash.update(piece));
  }
  return `sha256:${hash.digest('hex')}`;
}
