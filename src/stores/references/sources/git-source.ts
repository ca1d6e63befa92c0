import { SylkError } from '../../../base/errors.ts';
import { readObjects } from '../../../base/git/index.ts';
import { selects, unmatchedPaths } from '../names.ts';
import type { FetchBudget } from '../settings.ts';
import type { GitSource } from '../topic.ts';
import { isLeftOut, mainLanguage } from './file-kinds.ts';
import { type GitMetadata, isGitHub, openGitRemote } from './git-remote.ts';
import { type BareCopy, copyTree, fetchContents, resolveRef, type TreeEntry } from './git-tree.ts';
import { askGitHub, cloneFromGitHub, sizesOnGitHub } from './github.ts';
import { type Harvest, reportUnmatched } from './harvest.ts';
import { sizesOf } from './object-info.ts';
import type { Outside } from './outside.ts';

const probeLimits = { maxBytes: 200_000_000, timeoutMs: 120_000 };

/**
 * The counts and sizes that a person decides by. GitHub reports them; elsewhere the tree is listed without contents,
 * which gives the number of files, and the server is asked for sizes. If it does not answer, the size is reported as
 * unknown.
 */
export async function inspectGit(source: GitSource, scratch: string, outside: Outside): Promise<GitMetadata> {
  const told = isGitHub(source.url) ? await askGitHub(source, outside) : undefined;
  if (told?.files === 0) throw nothingThere(source);
  if (told) return { ...told, filtered: hasPaths(source) };
  const remote = await openGitRemote(source.url, outside);
  const { commit, branch } = await resolveRef(remote, scratch, source.ref);
  const known = { name: remote.name, commit, ref: branch, filtered: hasPaths(source) };
  if (!remote.filters) return known;
  const copy = await copyTree(remote, commit, scratch, { ...probeLimits, signal: outside.signal });
  try {
    const wanted = (await copy.entries()).filter((entry) => selects(source.paths, entry.path));
    const files = wanted.filter(isTaken);
    if (files.length === 0) throw nothingThere(source);
    const language = mainLanguage(files.map(({ path }) => path));
    const objects = files.map(({ object }) => object);
    const sizes =
      (await sizesOf(remote, objects, outside)) ??
      (isGitHub(source.url) ? await sizesOnGitHub(source.url, commit, outside) : undefined);
    const bytes = sizes && sumOf(objects.map((object) => sizes.get(object)));
    return {
      ...known,
      files: files.length,
      bytes,
      leftOut: wanted.length - files.length,
      language,
      unmatched: unmatchedPaths(
        source.paths,
        files.map(({ path }) => path),
      ),
    };
  } finally {
    copy.remove();
  }
}

/** The commit only: what an approval is compared with. */
export async function currentCommit(source: GitSource, scratch: string, outside: Outside): Promise<string> {
  const told = isGitHub(source.url) ? await askGitHub(source, outside, 'commit') : undefined;
  if (told) return told.commit;
  return (await resolveRef(await openGitRemote(source.url, outside), scratch, source.ref)).commit;
}

export interface GitFetch {
  source: GitSource;
  commit: string;
  /** Prepended to every path, so that two repositories do not mix. */
  prefix: string;
}

/** Extracts the files of one commit from a bare clone. Links, submodules and odd names never become files. */
export async function fetchGit(
  { source, commit, prefix }: GitFetch,
  harvest: Harvest,
  scratch: string,
  budget: FetchBudget,
  outside: Outside,
): Promise<void> {
  const limits = { maxBytes: budget.maxBytes, timeoutMs: budget.timeoutMs, signal: outside.signal };
  const remote = await openGitRemote(source.url, outside);
  const cloned = isGitHub(source.url)
    ? await cloneFromGitHub(source, commit, scratch, remote, outside)
    : undefined;
  const copy = cloned ?? (await copyTree(remote, commit, scratch, limits));
  try {
    const wanted = (await copy.entries()).filter((entry) => selects(source.paths, entry.path));
    reportOdd(wanted, source, harvest);
    const files = wanted.filter(isTaken);
    if (files.length === 0) throw nothingThere(source);
    reportUnmatched(
      source,
      files.map(({ path }) => path),
      harvest,
    );
    if (files.length > budget.maxFiles) throw tooManyFiles(files.length, budget.maxFiles);
    await fetchContents(copy, remote, [...new Set(files.map(({ object }) => object))], limits);
    await store(copy, files, { source, prefix, harvest, budget });
  } finally {
    copy.remove();
  }
}

/** Undefined when one of them is unknown. */
const sumOf = (sizes: Array<number | undefined>): number | undefined =>
  sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
const hasPaths = (source: GitSource): boolean => (source.paths?.length ?? 0) > 0;
const isTaken = ({ mode, path }: TreeEntry): boolean => mode.startsWith('100') && !isLeftOut(path);

function reportOdd(entries: TreeEntry[], source: GitSource, harvest: Harvest): void {
  const links = entries.filter(({ mode }) => mode === '120000').length;
  const modules = entries.filter(({ mode }) => mode === '160000').length;
  if (links > 0) harvest.problem(source.url, 'links_left_out', `skipped ${links} symbolic links`);
  if (modules > 0) harvest.problem(source.url, 'submodules_left_out', `skipped ${modules} submodules`);
}

async function store(
  copy: BareCopy,
  files: TreeEntry[],
  {
    source,
    prefix,
    harvest,
    budget,
  }: { source: GitSource; prefix: string; harvest: Harvest; budget: FetchBudget },
): Promise<void> {
  let large = 0;
  let notText = 0;
  for (let from = 0; from < files.length; from += 500) {
    const batch = files.slice(from, from + 500);
    const contents = await readObjects(
      copy.git,
      batch.map(({ object }) => object),
    );
    for (const { object, path } of batch) {
      const content = contents.get(object);
      if (!content) harvest.problem(source.url, 'unreadable', `could not read ${path}`);
      else if (content.length > budget.maxFileBytes) large++;
      else if (content.subarray(0, 8192).includes(0)) notText++;
      else harvest.add(source.url, `${prefix}${path}`, content);
    }
  }
  if (large > 0)
    harvest.problem(
      source.url,
      'files_too_large',
      `skipped ${large} files over ${budget.maxFileBytes} bytes`,
    );
  if (notText > 0) harvest.problem(source.url, 'not_text', `skipped ${notText} files that are not text`);
}

const nothingThere = (source: GitSource): SylkError =>
  new SylkError(
    'NOT_FOUND',
    `${source.url} has no text files${hasPaths(source) ? ` under ${source.paths?.join(', ')}` : ''}.`,
    {
      hint: 'Check `paths`: directories end in /, and names are case-sensitive.',
      data: { reason: 'nothing_there' },
    },
  );

const tooManyFiles = (count: number, most: number): SylkError =>
  new SylkError('BUDGET_EXCEEDED', `${count} files exceed the limit of ${most} for a topic.`, {
    hint: 'Request less with `paths`.',
    data: { reason: 'too_large' },
  });
