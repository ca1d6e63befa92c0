import { basename, join } from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import { type Dirent, isWithin, person } from '../../../base/files/index.ts';
import { visibleLine } from '../../../base/terminal-text.ts';
import { isReferable, isSkillId } from '../ids.ts';
import { parseSkill } from '../parse-skill.ts';
import { type ProblemKey, problemAt } from '../problems.ts';
import type { SkillDescriptor, SkillProblem, SkillScope } from '../skill.ts';
import { type SkillDoor, skillDoor } from './skill-door.ts';

/** A skill with the location of its files. */
export interface FoundSkill {
  descriptor: SkillDescriptor;
  directory: string;
  file: string;
}

export interface Scan {
  skills: Map<string, FoundSkill>;
  problems: SkillProblem[];
  /** COLLECTION.md texts by collection path. */
  descriptions: Map<string, string>;
}

export interface ScanOptions {
  root: string;
  scope: SkillScope;
  /** A person's links may lead anywhere within this directory, and nowhere else. */
  boundary: string;
}

/** Earlier parse results, by path; reused while the file keeps its size and times. */
export type ScanMemory = Map<
  string,
  { stamp: string; descriptor?: SkillDescriptor; problems: SkillProblem[] }
>;

const headBytes = 64 * 1024;
const maxDepth = 64;
const maxDirectories = 50_000;
const skipped = new Set(['.git', 'node_modules', '__pycache__', '.venv']);

/** `SKILL.md`, or a misspelling of it. */
const skillFileAmong = (names: string[]): string | undefined =>
  names.includes('SKILL.md') ? 'SKILL.md' : names.filter((name) => /^skill\.md$/i.test(name)).sort()[0];

/** Walks a tree of any depth. A directory with a SKILL.md is a skill; every other directory is a collection. */
export async function scanSkills(options: ScanOptions, memory: ScanMemory = new Map()): Promise<Scan> {
  const scan: Scan = { skills: new Map(), problems: [], descriptions: new Map() };
  if (!person.exists(options.root)) return scan;
  const door = skillDoor(options.scope, options.boundary);
  const followed = new Set<string>();
  let directories = 0;

  const problem = (key: ProblemKey, file: string, values: Record<string, string> = {}) => {
    scan.problems.push(problemAt(key, { file: visibleLine(file || '.') }, values));
  };

  const visit = async (directory: string, path: string, depth: number, within?: string): Promise<void> => {
    if (++directories % 200 === 0) await new Promise((resume) => setImmediate(resume));
    if (depth > maxDepth || directories > maxDirectories) {
      if (directories <= maxDirectories + 1) problem('large', path);
      return;
    }
    const entries = entriesOf(door, directory, (why) => problem('unreadable', path, { why }));
    const files = new Map(
      entries.filter((entry) => !entry.isDirectory()).map((entry) => [entry.name, entry]),
    );
    const skillFile = skillFileAmong([...files.keys()]);
    let skill = within;
    const found = skillFile && files.get(skillFile);
    if (found) skill = takeSkill(directory, path, found, within);
    else if (path !== '' && files.has('COLLECTION.md')) takeDescription(directory, path);
    for (const entry of entries) {
      if (skipped.has(entry.name) || entry.name === skillFile) continue;
      const child = join(directory, entry.name);
      const childPath = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() || (entry.isSymbolicLink() && mayFollow(child, childPath)))
        await visit(child, childPath, depth + 1, skill);
    }
  };

  /** Returns the skill that everything below belongs to. */
  const takeSkill = (directory: string, path: string, entry: Dirent, within?: string): string | undefined => {
    const shown = path === '' ? entry.name : `${path}/${entry.name}`;
    if (within !== undefined) problem('nested', shown, { outer: within });
    else if (entry.isSymbolicLink() && !door.entry(join(directory, entry.name))) problem('link', shown);
    else {
      try {
        const id = path === '' ? rootId(door, join(directory, entry.name), options) : path;
        if (isSkillId(id)) add(id, directory, entry.name, shown);
        else problem('id', shown);
      } catch (error) {
        problem('unreadable', shown, { why: messageOf(error) });
      }
    }
    // A root that is itself a skill may still contain a collection.
    return within ?? (path === '' ? undefined : path);
  };

  const add = (id: string, directory: string, name: string, shown: string) => {
    const file = join(directory, name);
    const stamp = `${id}\0${door.entry(file)?.mark}`;
    let known = memory.get(file);
    if (known?.stamp !== stamp) {
      const { document, problems } = parseSkill(readHead(door, file), {
        id,
        file: shown,
        scope: options.scope,
      });
      if (name !== 'SKILL.md') problems.push(problemAt('file-name', { id, file: shown }, { name }));
      known = { stamp, problems, descriptor: document ? document.descriptor : undefined };
      memory.set(file, known);
    }
    scan.problems.push(...known.problems);
    if (known.descriptor) scan.skills.set(id, { descriptor: known.descriptor, directory, file });
  };

  const takeDescription = (directory: string, path: string) => {
    const file = join(directory, 'COLLECTION.md');
    const line = isSkillId(path) ? collectionLine(door, file) : undefined;
    if (line) scan.descriptions.set(path, line);
  };

  const mayFollow = (link: string, path: string): boolean => {
    const target = door.entry(link);
    if (!target) problem('link', path);
    if (target?.kind !== 'directory') return false;
    const real = door.real(link);
    if (followed.has(real) || isWithin(real, link)) {
      scan.problems.push(problemAt('link-again', { file: path }));
      return false;
    }
    followed.add(real);
    return true;
  };

  if (door.entry(options.root)?.kind !== 'directory') problem('link', '.');
  else await visit(options.root, '', 0);
  return scan;
}

/** The same skill that a scan would find under this id, without walking the tree. */
export function locateSkill(options: ScanOptions, id: string): Omit<FoundSkill, 'descriptor'> | undefined {
  const segments = id.split('/');
  if (segments.some((segment) => skipped.has(segment))) return undefined;
  const door = skillDoor(options.scope, options.boundary);
  let directory = options.root;
  for (const segment of segments) {
    // A skill contains no skills; the root is a collection even if it is also a skill.
    if (directory !== options.root && skillFileIn(door, directory)) return undefined;
    directory = join(directory, segment);
    if (door.entry(directory)?.kind !== 'directory') return undefined;
  }
  const name = skillFileIn(door, directory);
  return name ? { directory, file: join(directory, name) } : undefined;
}

function skillFileIn(door: SkillDoor, directory: string): string | undefined {
  const name = skillFileAmong(entriesOf(door, directory, () => {}).map((entry) => entry.name));
  return name && door.entry(join(directory, name))?.kind === 'file' ? name : undefined;
}

/** The root has no path, so its own SKILL.md takes its name as id: a repository may be one single skill. */
function rootId(door: SkillDoor, file: string, { root, scope }: ScanOptions): string {
  const { document } = parseSkill(readHead(door, file), { id: basename(root), file, scope });
  return document && isReferable(document.descriptor.name) ? document.descriptor.name : basename(root);
}

function entriesOf(door: SkillDoor, directory: string, failed: (error: string) => void): Dirent[] {
  try {
    return door.list(directory);
  } catch (error) {
    failed(messageOf(error));
    return [];
  }
}

/** The front matter is at the start; a large body is not read for a list. */
function readHead(door: SkillDoor, file: string): Uint8Array {
  const head = door.read(file, { limit: headBytes, cut: true });
  // A cut in the middle of a character must not look like a broken encoding.
  return head.length < headBytes ? head : head.subarray(0, Math.max(0, head.lastIndexOf(0x0a) + 1));
}

function collectionLine(door: SkillDoor, file: string): string | undefined {
  if (door.entry(file)?.kind !== 'file') return undefined;
  const text = new TextDecoder().decode(readHead(door, file));
  const line = text.split(/\r?\n/).find((candidate) => candidate.trim() !== '');
  return line?.trim().slice(0, 500);
}
