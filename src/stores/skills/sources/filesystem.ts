import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { isWithin, resolveInside } from '../../../base/path-jail.ts';
import { byId, deriveCollections, matchesFilter } from '../collections.ts';
import { requireSkillId, skillNotFound } from '../ids.ts';
import { parseSkill } from '../parse-skill.ts';
import type { SkillResource, SkillScope, SkillSource } from '../skill.ts';
import { type FoundSkill, locateSkill, type ScanMemory, scanSkills } from './scan.ts';

export interface FilesystemSourceOptions {
  root: string;
  scope?: SkillScope;
  /** How far links may lead; the root itself unless told. */
  boundary?: string;
}

/** Bodies past this are cut long before they reach a model. */
const bodyBytes = 4 * 1024 * 1024;
const resourceBytes = 1024 * 1024;
const maxResources = 2000;

/** A tree of directories; the path below its root is the id. Looked at anew for each question, parsed once. */
export function filesystemSource(options: FilesystemSourceOptions): SkillSource & { scope: SkillScope } {
  const { root, scope = 'project', boundary = root } = options;
  const memory: ScanMemory = new Map();
  const scan = async () => scanSkills({ root, scope, boundary: safeBoundary(boundary, root) }, memory);
  const find = async (id: string): Promise<Omit<FoundSkill, 'descriptor'>> => {
    requireSkillId(id);
    const found =
      locateSkill({ root, scope, boundary: safeBoundary(boundary, root) }, id) ??
      (await scan()).skills.get(id);
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
      const { document } = parseSkill(readStart(found.file, bodyBytes), { id, file: found.file, scope });
      if (!document)
        throw skillNotFound(id, 'It changed just now and no longer loads; `sylk skills check` says why.');
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
    resources: async (id) => filesOf((await find(id)).directory).filter((file) => file.path !== 'SKILL.md'),
    readResource: async (id, path) => {
      const found = await find(id);
      const file = resolveInside(found.directory, path);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile())
        throw new SylkError('NOT_FOUND', `Skill '${id}' has no file ${JSON.stringify(path.slice(0, 200))}`, {
          hint: 'list_skill_resources names its files.',
        });
      return readStart(file, resourceBytes);
    },
    digest: async (id) => digestOf((await find(id)).directory),
    origin: () => ({ kind: 'filesystem', location: root, remote: false }),
  };
}

const safeBoundary = (boundary: string, root: string): string =>
  statSync(boundary, { throwIfNoEntry: false }) ? boundary : root;

function readStart(file: string, limit: number): Uint8Array {
  if (statSync(file).size <= limit) return readFileSync(file);
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(limit);
    return buffer.subarray(0, readSync(handle, buffer, 0, limit, 0));
  } finally {
    closeSync(handle);
  }
}

/** Regular files below a skill's directory; links are listed only where they stay inside. */
function filesOf(directory: string): SkillResource[] {
  const files: SkillResource[] = [];
  const real = realpathSync(directory);
  const visit = (at: string, depth: number) => {
    if (depth > 16 || files.length >= maxResources) return;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.name === '.git' || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (entry.isFile() || (entry.isSymbolicLink() && staysInside(real, path))) {
        const stat = statSync(path);
        if (stat.isFile())
          files.push({ path: relative(directory, path).split(sep).join('/'), bytes: stat.size });
      }
    }
  };
  visit(directory, 0);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function staysInside(root: string, path: string): boolean {
  try {
    return isWithin(root, realpathSync(path));
  } catch {
    return false;
  }
}

/** Over every file of the skill, by path and content: an added script changes it as much as an edited line. */
function digestOf(directory: string): string {
  const hash = createHash('sha256');
  for (const { path, bytes } of filesOf(directory)) {
    hash.update(`${path}\0${bytes}\0`);
    const handle = openSync(join(directory, path), 'r');
    try {
      const buffer = Buffer.allocUnsafe(64 * 1024);
      for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer))
        hash.update(buffer.subarray(0, read));
    } finally {
      closeSync(handle);
    }
  }
  return `sha256:${hash.digest('hex')}`;
}
