import { SylkError } from '../../base/errors.ts';
import type { Git, GitRunOptions } from '../../base/git/index.ts';
import { once, onceFor } from '../../base/once.ts';
import { isParsed, languageOf, outline } from '../../base/syntax/index.ts';
import { declaredNames } from '../../stores/conventions/index.ts';
import type { Removal } from './evidence.ts';
import { isBesideProject, waysToWrite, writtenName } from './names.ts';

/** Commits that are read for packages that a manifest lost. */
const mostCommits = 3000;
/** Commits that may have removed a package; the newest that really did decides. */
const mostCandidates = 5;
/** A claim is checked while somebody waits: history that takes longer says nothing. */
const usualPatienceMs = 3000;

/** What the commits before a tree took away. Every answer names the commit. */
export function createRemovals(git: Git, revision: string, patienceMs = usualPatienceMs) {
  /** Empty where git takes too long; it isn't asked such a question again. */
  let slow = false;
  const ask = async (args: string[], options: GitRunOptions = {}): Promise<string> => {
    if (slow) return '';
    try {
      const { stdout } = await git.run(args, { accept: [128], timeoutMs: patienceMs, ...options });
      return stdout.toString('utf8');
    } catch (error) {
      if (!(error instanceof SylkError && error.code === 'TIMEOUT')) throw error;
      slow = true;
      return '';
    }
  };
  const textAt = (commit: string, path: string) =>
    ask(['cat-file', 'blob', `${commit}:${path}`], { maxOutputBytes: 1 << 24, mayCut: true });
  const lastCommit = async (filters: string[], paths: string[]): Promise<Removal | undefined> => {
    const format = '--format=%H%x00%an%x00%cs';
    // With side branches: git leaves them out where a merge took the other side.
    const found = await ask([
      'log',
      '-1',
      '--full-history',
      '--no-merges',
      '--no-renames',
      format,
      ...filters,
      revision,
      '--',
      ...paths,
    ]);
    const [commit = '', author = '', date = ''] = found.trim().split('\0');
    return commit === '' ? undefined : { commit, author, date, path: '', movedTo: '' };
  };

  const candidates = once(() => readCandidates(ask, revision));
  const isDeclared = async (commit: string, path: string, name: string): Promise<boolean> =>
    declaredNames(path, await textAt(commit, path)).some((each) => waysToWrite(each).includes(name));

  const packageRemoval = onceFor(async (given: string): Promise<Removal | undefined> => {
    const name = writtenName(given);
    for (const removal of (await candidates()).get(name) ?? []) {
      const { commit, path } = removal;
      if ((await isDeclared(`${commit}^`, path, name)) && !(await isDeclared(commit, path, name)))
        return removal;
    }
    return undefined;
  });

  const fileRemoval = onceFor(async (path: string): Promise<Removal | undefined> => {
    const inside = path.replace(/\/$/, '/**');
    const removal = await lastCommit(
      ['--diff-filter=D'],
      [`:(top,glob)${inside}`, `:(top,glob)**/${inside}`],
    );
    if (!removal) return undefined;
    const changes = await ask([
      'show',
      '-M',
      '--diff-filter=DR',
      '--name-status',
      '-z',
      '--format=',
      removal.commit,
    ]);
    return lostIn(changes.split('\0'), path, removal);
  });

  const readSymbolRemoval = onceFor(async (key: string): Promise<Removal | undefined> => {
    const [name = '', inFile = ''] = key.split(' ');
    const prose = ['md', 'mdx', 'rst', 'txt', 'html', 'svg', 'lock', 'json'].map(
      (end) => `:(top,exclude)*.${end}`,
    );
    const word = `(^|[^A-Za-z0-9_$])${name.replaceAll('$', '[$]')}($|[^A-Za-z0-9_$])`;
    const pickaxe = ['--pickaxe-regex', `-S${word}`];
    const removal = await lastCommit(pickaxe, inFile ? [`:(top,literal)${inFile}`] : [':(top)', ...prose]);
    if (!removal) return undefined;
    const { commit } = removal;
    const changed = await ask(['show', '--no-renames', '--name-only', '-z', '--format=', ...pickaxe, commit]);
    for (const path of changed.split('\0').filter((each) => each && (!inFile || each === inFile)))
      if (
        (await namesDefined(await textAt(`${commit}^`, path), path)).has(name) &&
        !(await namesDefined(await textAt(commit, path), path)).has(name)
      )
        return { ...removal, path };
    return undefined;
  });
  const symbolRemoval = (name: string, path = '') => readSymbolRemoval(`${name} ${path}`.trim());
  return { packageRemoval, fileRemoval, symbolRemoval };
}

/** Reads `D path` and `R100 old new` as git lists them. */
function lostIn(changes: string[], path: string, removal: Removal): Removal | undefined {
  const isIt = (each: string) => each === path || each.endsWith(`/${path}`);
  for (let at = 0; at < changes.length; ) {
    const [status = '', old = '', fresh = ''] = changes.slice(at, at + 3);
    const isMove = status.startsWith('R');
    at += isMove ? 3 : 2;
    if (path.endsWith('/') ? `/${old}`.includes(`/${path}`) : isIt(old))
      return { ...removal, path: old, movedTo: isMove ? fresh : '' };
  }
  return undefined;
}

async function namesDefined(text: string, path: string): Promise<Set<string>> {
  const language = languageOf(path);
  if (!language || !isParsed(language)) return new Set();
  // A file that the parser gives up on tells nothing.
  const found = await outline(text.slice(0, 400_000), language).catch(() => []);
  return new Set(
    found.filter(({ kind, parent }) => kind !== 'variable' || parent < 0).map(({ name }) => name),
  );
}

const manifests = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements*.txt',
  'requirements/*',
  'Cargo.toml',
  'go.mod',
  'Gemfile',
  'composer.json',
].flatMap((name) => [name, `:(glob)*/${name}`, `:(glob)*/*/${name}`]);

/** Names on lines that a manifest lost, newest commit first. Scripts and settings are among them: the manifest itself decides. */
async function readCandidates(
  ask: (args: string[], options?: GitRunOptions) => Promise<string>,
  revision: string,
): Promise<Map<string, Removal[]>> {
  const log = await ask(
    [
      ...[
        'log',
        '--full-history',
        '--no-merges',
        '-p',
        '-U0',
        '--no-renames',
        '--no-color',
        `--max-count=${mostCommits}`,
      ],
      ...['--format=%x01%H%x00%an%x00%cs', revision, '--', ...manifests],
    ],
    { timeoutMs: 20_000, maxOutputBytes: 1 << 28 },
  );
  const removals = new Map<string, Removal[]>();
  for (const record of log.split('\x01').slice(1)) {
    const [head = '', ...lines] = record.split('\n');
    const [commit = '', author = '', date = ''] = head.split('\0');
    for (const [name, path] of lostNames(lines))
      for (const written of waysToWrite(name)) {
        const earlier = removals.get(written) ?? [];
        if (earlier.length < mostCandidates)
          removals.set(written, [...earlier, { commit, author, date, path, movedTo: '' }]);
      }
  }
  return removals;
}

function lostNames(lines: string[]): Map<string, string> {
  const lost = new Map<string, string>();
  const gained = new Set<string>();
  let path = '';
  for (const line of lines) {
    if (line.startsWith('--- a/')) path = line.slice(6);
    const name =
      /^[-+]\s*(?:require |gem )?["']?(@?[A-Za-z][\w.@/-]*)["']?(?:\[[^\]]*\])?\s*(?:[:=<>~!^,"']|v\d|$)/.exec(
        line,
      )?.[1];
    if (!name || isBesideProject(path)) continue;
    if (line.startsWith('-')) lost.set(name, path);
    else gained.add(name);
  }
  for (const name of gained) lost.delete(name);
  return lost;
}
