import { closeSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin } from '../../../base/path-jail.ts';
import { isReferable } from '../ids.ts';
import { parseSkill } from '../parse-skill.ts';
import type { SkillDescriptor, SkillProblem, SkillScope } from '../skill.ts';

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
  /** Links may lead anywhere within this directory, and nowhere else. */
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

/** Walks a tree of any depth. A directory with a SKILL.md is a skill; every other directory is a collection. */
export async function scanSkills(options: ScanOptions, memory: ScanMemory = new Map()): Promise<Scan> {
  const scan: Scan = { skills: new Map(), problems: [], descriptions: new Map() };
  if (!statSync(options.root, { throwIfNoEntry: false })?.isDirectory()) return scan;
  const boundary = realpathSync(options.boundary);
  const seen = new Set<string>();
  const problem = (
    severity: SkillProblem['severity'],
    code: string,
    file: string,
    message: string,
    fix: string,
  ) => scan.problems.push({ severity, code, source_name: '', file, line: 1, message, fix });
  let directories = 0;

  const add = (id: string, directory: string, name: string, path: string) => {
    const file = join(directory, name);
    const stat = statSync(file);
    const stamp = `${id}\0${stat.mtimeMs}\0${stat.size}\0${stat.ino}`;
    let known = memory.get(file);
    if (known?.stamp !== stamp) {
      const { document, problems } = parseSkill(readHead(file, stat), {
        id,
        file: path,
        scope: options.scope,
      });
      if (name !== 'SKILL.md')
        problems.push({
          ...{ severity: 'warning', code: 'file-name', source_name: '', id, file: path, line: 1 },
          message: `The file is named ${name}; other clients look for SKILL.md.`,
          fix: 'Rename it to SKILL.md.',
        });
      known = { stamp, problems, ...(document ? { descriptor: document.descriptor } : {}) };
      memory.set(file, known);
    }
    scan.problems.push(...known.problems);
    if (known.descriptor) scan.skills.set(id, { descriptor: known.descriptor, directory, file });
  };

  const visit = async (directory: string, path: string, depth: number, within?: string): Promise<void> => {
    if (++directories % 200 === 0) await new Promise((resume) => setImmediate(resume));
    if (depth > maxDepth || directories > maxDirectories) {
      if (directories <= maxDirectories + 1)
        problem(
          'error',
          'too-deep',
          path,
          'The tree is too deep or too large; the rest is left out.',
          'Point the source at the directory that holds the skills.',
        );
      return;
    }
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(directory, { withFileTypes: true });
    } catch (error) {
      problem(
        'error',
        'unreadable',
        path || '.',
        `The directory cannot be read: ${(error as Error).message}`,
        'Check who owns it and its mode.',
      );
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const files = new Set(entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name));
    const skillFile = fileNames.find((name) => files.has(name));
    let inside = within;
    if (skillFile) {
      const shown = path === '' ? skillFile : `${path}/${skillFile}`;
      const linkOut = leadsOut(join(directory, skillFile), boundary);
      if (linkOut) problem('error', 'link', shown, linkOut, 'Put the file itself there.');
      else if (within !== undefined)
        problem(
          'error',
          'nested',
          shown,
          `It lies inside the skill ${within}; a skill holds no skills.`,
          'Move it beside that skill.',
        );
      else if (path === '') addRoot(directory, skillFile);
      else {
        inside = path;
        try {
          add(path, directory, skillFile, shown);
        } catch (error) {
          problem(
            'error',
            'unreadable',
            shown,
            `It cannot be read: ${(error as Error).message}`,
            'Check who owns it and its mode.',
          );
        }
      }
    } else if (
      files.has('COLLECTION.md') &&
      path !== '' &&
      !leadsOut(join(directory, 'COLLECTION.md'), boundary)
    ) {
      const line = collectionLine(join(directory, 'COLLECTION.md'));
      if (line) scan.descriptions.set(path, line);
    }
    for (const entry of entries) {
      if (skipped.has(entry.name) || entry.name === skillFile) continue;
      const child = join(directory, entry.name);
      const childPath = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isSymbolicLink()) {
        if (!followable(child, childPath)) continue;
      } else if (!entry.isDirectory()) continue;
      await visit(child, childPath, depth + 1, inside);
    }
  };

  /** The root has no path, so its own SKILL.md takes its name as id; a repository may be one single skill. */
  const addRoot = (directory: string, name: string) => {
    const { document } = parseSkill(readHead(join(directory, name), statSync(join(directory, name))), {
      ...{ id: basename(options.root), file: name, scope: options.scope },
    });
    const id =
      document && isReferable(document.descriptor.name) ? document.descriptor.name : basename(options.root);
    add(id, directory, name, name);
  };

  const followable = (link: string, path: string): boolean => {
    const out = leadsOut(link, boundary);
    if (out) {
      problem('error', 'link', path, out, 'Copy what it points to, or list that place as a source.');
      return false;
    }
    const real = realpathSync(link);
    if (!statSync(real).isDirectory()) return false;
    if (seen.has(real) || isWithin(real, link)) return false;
    seen.add(real);
    return true;
  };

  const rootOut = leadsOut(options.root, boundary);
  if (rootOut) {
    problem('error', 'link', '.', rootOut, 'Name the real directory as the path of the source.');
    return scan;
  }
  await visit(options.root, '', 0);
  return scan;
}

/** The same skill that a scan would find under this id, without walking the tree. */
export function locateSkill(options: ScanOptions, id: string): Omit<FoundSkill, 'descriptor'> | undefined {
  const segments = id.split('/');
  if (segments.some((segment) => skipped.has(segment)) || !statSync(options.root, { throwIfNoEntry: false }))
    return undefined;
  const boundary = realpathSync(options.boundary);
  let directory = options.root;
  for (const segment of segments) {
    // A skill holds no skills; the root is a collection even if it is a skill as well.
    if (directory !== options.root && skillFileIn(directory)) return undefined;
    directory = join(directory, segment);
    if (leadsOut(directory, boundary)) return undefined;
  }
  const name = skillFileIn(directory);
  if (!name || leadsOut(join(directory, name), boundary)) return undefined;
  return { directory, file: join(directory, name) };
}

const fileNames = ['SKILL.md', 'skill.md', 'Skill.md'];
const skillFileIn = (directory: string): string | undefined =>
  fileNames.find((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile());

function leadsOut(path: string, boundary: string): string | undefined {
  try {
    return isWithin(boundary, realpathSync(path))
      ? undefined
      : 'A link leads out of the source; it is not followed.';
  } catch {
    return 'A link leads nowhere; it is not followed.';
  }
}

/** Front matters are at the start; a body of many megabytes is not read to list it. */
function readHead(file: string, stat: Stats): Uint8Array {
  if (!stat.isFile()) throw new Error('not a regular file');
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(headBytes, stat.size));
    const read = readSync(handle, buffer, 0, buffer.length, 0);
    const head = buffer.subarray(0, read);
    // A cut in the middle of a character must not look like a broken encoding.
    return read < stat.size ? head.subarray(0, Math.max(0, head.lastIndexOf(0x0a) + 1)) : head;
  } finally {
    closeSync(handle);
  }
}

function collectionLine(file: string): string | undefined {
  const stat = statSync(file);
  if (!stat.isFile()) return undefined;
  const text = new TextDecoder().decode(readHead(file, stat));
  const line = text.split(/\r?\n/).find((candidate) => candidate.trim() !== '');
  return line?.trim().slice(0, 500);
}
