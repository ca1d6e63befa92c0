import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { person, state, system } from '../files/index.ts';
import { startTime } from '../process/index.ts';
import type { Repository } from './repository.ts';
import {
  configurationText,
  fileSettings,
  isHarmless,
  personSettings,
  readConfiguration,
  type Settings,
} from './settings.ts';

/** What git reads of the repository; all the rest of its directory (configuration, hooks, attributes) is not there. */
const shared = ['HEAD', 'objects', 'refs', 'packed-refs', 'reftable', 'logs', 'worktrees', 'shallow'];

/** Those that are there: programs that walk a repository, such as \`node --test\`, fail on a link that leads nowhere. */
const sharedIn = (commonDirectory: string): string[] =>
  shared.filter((name) => person.entry(join(commonDirectory, name)) !== undefined);

const mostConfiguration = 4 * 1024 * 1024;
const mostExcludes = 1024 * 1024;

interface Content {
  configuration: string;
  excludes: string | undefined;
  commonDirectory: string;
}

/**
 * A directory of ours that git takes for the repository's common directory: its objects and references, with a
 * configuration that we wrote. It is kept in the state directory for later processes; where there is none to write
 * to, it lives as long as this process.
 */
export function privateDirectory(repository: Repository): string {
  const { directory } = repository.state;
  if (!mayKeep(repository)) return makeTemporary(contentOf(repository));
  const run = join(directory, 'run');
  const noteFile = join(run, 'git.json');
  const mark = markOf(repository);
  const name = readNote(noteFile, mark);
  if (name && isIntact(join(run, name), repository)) return join(run, name);
  const content = contentOf(repository);
  try {
    const kept = keep(run, content, repository);
    if (personSettings().files.every((path) => personFiles().includes(path)))
      state.write(noteFile, JSON.stringify({ mark, name: basename(kept) }));
    return kept;
  } catch {
    // A state home that can't be written costs a directory for each process.
    return makeTemporary(content);
  }
}

function mayKeep({ state: { directory, requireOurs } }: Repository): boolean {
  if (!state.exists(directory) || system.writeRefusal(directory)) return false;
  try {
    requireOurs();
    return true;
  } catch {
    // Somebody put another one in its place: nothing of it is used, and nothing is written to it.
    return false;
  }
}

/**
 * Whether a directory is as it was made: its name is the digest of what it was made from, it has nothing else in it, and
 * its configuration has nothing that `contentOf` would not let through, whoever chose the name.
 */
export function isIntact(directory: string, { commonDirectory }: Repository): boolean {
  try {
    const configuration = state.readText(join(directory, 'config'), { limit: mostConfiguration });
    const excludes = state.readText(join(directory, 'info', 'exclude'), { limit: mostExcludes });
    const names = sharedIn(commonDirectory);
    const expected = [...names, 'config', ...(excludes === undefined ? [] : ['info'])].sort().join();
    return (
      configuration !== undefined &&
      basename(directory) === nameOf({ commonDirectory, configuration, excludes }) &&
      namesIn(directory) === expected &&
      (excludes === undefined || namesIn(join(directory, 'info')) === 'exclude') &&
      names.every((name) => state.linkTarget(join(directory, name)) === join(commonDirectory, name)) &&
      (readConfiguration(configuration)?.every(isCarried) ?? false)
    );
  } catch {
    // A link or a pipe in place of a part.
    return false;
  }
}

const namesIn = (directory: string): string =>
  state
    .list(directory)
    .map(({ name }) => name)
    .sort()
    .join();

/** The repository's own settings, whatever they say. */
export function repositorySettings({ commonDirectory }: Pick<Repository, 'commonDirectory'>): Settings {
  const path = join(commonDirectory, 'config');
  const text = person.readText(path, { limit: mostConfiguration });
  return text === undefined ? [] : fileSettings(path, text);
}

function contentOf(repository: Repository): Content {
  const { commonDirectory, bare } = repository;
  const settings = [
    ...personSettings().settings.filter(isCarried),
    ...repositorySettings(repository).filter(isHarmless),
    ['core.bare', String(bare)] satisfies Settings[number],
  ];
  const configuration = configurationText(settings);
  const excludes = person.readText(join(commonDirectory, 'info', 'exclude'), { limit: mostExcludes });
  return { configuration, excludes: excludes || undefined, commonDirectory };
}

const isCarried = (one: Settings[number]): boolean =>
  isHarmless(one) || one[0] === 'core.excludesfile' || one[0] === 'core.bare';

const nameOf = ({ commonDirectory, configuration, excludes }: Content): string =>
  `git-${digest([commonDirectory, configuration, excludes, ...sharedIn(commonDirectory)])}`;

/** Changes whenever a file does that the content is made from. */
function markOf({ commonDirectory, bare }: Repository): string {
  const files = [...personFiles(), join(commonDirectory, 'config'), join(commonDirectory, 'info', 'exclude')];
  const marks = files.map((path) => `${path} ${person.entry(path)?.mark}`);
  return digest([process.env.PATH, String(bare), ...marks, ...sharedIn(commonDirectory)]);
}

const personFiles = (): string[] => [
  '/etc/gitconfig',
  join(homedir(), '.gitconfig'),
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'config'),
];

function readNote(path: string, mark: string): string | undefined {
  try {
    const note = JSON.parse(state.readText(path, { limit: 10_000 }) ?? '{}');
    return note.mark === mark && /^git-[0-9a-f]{32}$/.test(note.name) ? note.name : undefined;
  } catch {
    return undefined;
  }
}

const digest = (parts: Array<string | undefined>): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

/** Made aside and renamed, so that another process sees it whole or not at all. */
function keep(run: string, content: Content, repository: Repository): string {
  const directory = join(run, nameOf(content));
  state.makeDirectory(run);
  removeAbandoned(run, basename(directory));
  if (isIntact(directory, repository)) return directory;
  const aside = state.temporaryDirectory(ownPrefix(), run);
  fill(aside, content);
  try {
    state.remove(directory);
    state.move(aside, directory);
  } catch (error) {
    state.remove(aside);
    if (!isIntact(directory, repository)) throw error;
  }
  return directory;
}

const made = new Set<string>();

function makeTemporary(content: Content): string {
  const parent = person.realPath(tmpdir());
  removeAbandoned(parent);
  const own = state.temporaryDirectory(ownPrefix(), parent);
  if (made.size === 0) process.once('exit', () => made.forEach(state.remove));
  made.add(own);
  const directory = join(own, nameOf(content));
  fill(directory, content);
  return directory;
}

function fill(directory: string, { configuration, excludes, commonDirectory }: Content): void {
  state.makeDirectory(directory);
  for (const name of sharedIn(commonDirectory))
    state.addLink(join(directory, name), join(commonDirectory, name));
  if (excludes) state.write(join(directory, 'info', 'exclude'), excludes);
  state.write(join(directory, 'config'), configuration);
}

const ownPrefix = (): string => `sylk-git-${process.pid}-${startTime(process.pid)}-`;

const keptMs = 7 * 24 * 3600 * 1000;

/**
 * Removes what processes left that were killed, and kept directories that have a link to nowhere or are of settings that
 * changed long ago: a process that still uses one makes it again.
 */
function removeAbandoned(parent: string, current?: string): void {
  for (const { name } of state.list(parent)) {
    const [, pid, start] = /^sylk-git-(\d+)-(\d+)-/.exec(name) ?? [];
    const path = join(parent, name);
    const entry = pid || name.startsWith('git-') ? state.entry(path) : undefined;
    if (entry?.kind !== 'directory' || entry.uid !== (process.getuid?.() ?? entry.uid)) continue;
    const isOver = pid
      ? startTime(Number(pid)) !== start
      : current !== undefined &&
        name !== current &&
        (entry.modified < Date.now() - keptMs || leadsNowhere(path));
    if (isOver) state.remove(path);
  }
}

const leadsNowhere = (directory: string): boolean =>
  shared.some((name) => {
    const target = state.linkTarget(join(directory, name));
    return target !== undefined && person.entry(target) === undefined;
  });
