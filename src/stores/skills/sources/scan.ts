import { basename, join } from 'node:path';
import { messageOf } from '../../../base/errors.ts';
import { type Dirent, isWithin, person } from '../../../base/files/index.ts';
import { visibleLine } from '../../../base/terminal-text.ts';
import { isReferable, isSkillId } from '../ids.ts';
import { parseSkill } from '../parse-skill.ts';
import type { SkillDescriptor, SkillProblem, SkillScope } from '../skill.ts';
import { type SkillDoor, skillDoor } from './skill-door.ts';

/** A skill that was found, with where its files are. */
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
  /** Links of a person may lead anywhere within this directory, and nowhere else. */
  boundary: string;
}

/** What was parsed before, by path; reused while the file keeps its size and times. */
export type ScanMemory = Map<
  string,
  { stamp: string; descriptor?: SkillDescriptor; problems: SkillProblem[] }
>;

const headBytes = 64 * 1024;
const maxDepth = 64;
const maxDirectories = 50_000;
const skipped = new Set(['.git', 'node_modules', '__pycache__', '.venv']);

/** `SKILL.md`, or what was meant by it. */
const skillFileAmong = (names: string[]): string | undefined =>
  names.includes('SKILL.md') ? 'SKILL.md' : names.filter((name) => /^skill\.md$/i.test(name)).sort()[0];

/** What can be wrong with a place in the tree, as opposed to the text of a skill. */
const placeProblems = {
  large: [
    'The tree is too deep or too large; the rest is left out.',
    'Point the source at the directory that holds the skills.',
  ],
  unreadable: ['It cannot be read', 'Check who owns it and its mode.'],
  link: [
    'It is a link that is not followed: links of a repository never are, others only within the source.',
    'Copy what it points to, or list that place as a source.',
  ],
  id: [
    'The name of a folder on the way has characters that an id cannot have; the skill is not loaded',
    'Use letters, digits, hyphens, dots and underscores in the names of its folders.',
  ],
  nested: ['It lies inside another skill, and a skill holds no skills', 'Move it beside that skill.'],
} as const;

/** Walks a tree of any depth. A directory with a SKILL.md is a skill; every other directory is a collection. */
export async function scanSkills(options: ScanOptions, memory: ScanMemory = new Map()): Promise<Scan> {
  const scan: Scan = { skills: new Map(), problems: [], descriptions: new Map() };
  if (!person.exists(options.root)) return scan;
  const door = skillDoor(options.scope, options.boundary);
  const followed = new Set<string>();
  let directories = 0;

  const problem = (code: keyof typeof placeProblems, file: string, detail = '') => {
    const [message, fix] = placeProblems[code];
    const shown = visibleLine(file || '.');
    const place = { severity: 'error' as const, code, source_name: '', file: shown, line: 1 };
    scan.problems.push({ ...place, message: detail ? `${message}: ${detail}` : message, fix });
  };

  const visit = async (directory: string, path: string, depth: number, within?: string): Promise<void> => {
    if (++directories % 200 === 0) await new Promise((resume) => setImmediate(resume));
    if (depth > maxDepth || directories > maxDirectories) {
      if (directories <= maxDirectories + 1) problem('large', path);
      return;
    }
    const entries = entriesOf(door, directory, (error) => problem('unreadable', path, error));
    const files = new Map(
      entries.filter((entry) => !entry.isDirectory()).map((entry) => [entry.name, entry]),
    );
    const skillFile = skillFileAmong([...files.keys()]);
    let skill = within;
    if (skillFile) skill = takeSkill(directory, path, files.get(skillFile)!, within);
    else if (path !== '' && files.has('COLLECTION.md')) takeDescription(directory, path);
    for (const entry of entries) {
      if (skipped.has(entry.name) || entry.name === skillFile) continue;
      const child = join(directory, entry.name);
      const childPath = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() || (entry.isSymbolicLink() && mayFollow(child, childPath)))
        await visit(child, childPath, depth + 1, skill);
    }
  };

  /** Answers the skill that everything below belongs to. */
  const takeSkill = (directory: string, path: string, entry: Dirent, within?: string): string | undefined => {
    const shown = path === '' ? entry.name : `${path}/${entry.name}`;
    if (within !== undefined) problem('nested', shown, within);
    else if (entry.isSymbolicLink() && !door.entry(join(directory, entry.name))) problem('link', shown);
    else {
      try {
        const id = path === '' ? rootId(door, join(directory, entry.name), options) : path;
        if (isSkillId(id)) add(id, directory, entry.name, shown);
        else problem('id', shown);
      } catch (error) {
        problem('unreadable', shown, messageOf(error));
      }
    }
    // A root that is a skill itself may still hold a collection.
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
      if (name !== 'SKILL.md') problems.push(misnamed(id, shown, name));
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
      scan.problems.push(reachedBefore(path));
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
    // A skill holds no skills; the root is a collection even if it is a skill as well.
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

const reachedBefore = (file: string): SkillProblem => ({
  severity: 'note',
  code: 'link-again',
  source_name: '',
  file,
  line: 1,
  message: 'The link leads to a place that another path has led to; what is there is listed once.',
  fix: 'Nothing has to be done; remove the link if one way there is enough.',
});

const misnamed = (id: string, file: string, name: string): SkillProblem => ({
  severity: 'warning',
  code: 'file-name',
  source_name: '',
  id,
  file,
  line: 1,
  message: `The file is named ${name}; other clients look for SKILL.md.`,
  fix: 'Rename it to SKILL.md.',
});

/** Front matters are at the start; a body of many megabytes is not read to list it. */
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
