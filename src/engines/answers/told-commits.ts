import type { Git } from '../../base/git/index.ts';
import { idOf, isRefOf } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import { explanationOf } from '../../stores/history/index.ts';
import { readQuery, readWorktreeFile } from '../recall/index.ts';
import {
  commitsTelling,
  isAlike,
  readTold,
  scored,
  type ToldCommit,
  tellingWords,
  withReason,
} from './commit-words.ts';
import { commitFormat } from './commits.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

const most = 5;
/** Less of the question than this, and a commit is about something else. */
const enough = 0.5;
/** A commit that wrote the very lines needs fewer words. */
const wroteIt = 0.35;
const surelyWrote = 0.6;
const nearBest = 0.6;
const mostNames = 2;
const longestBody = 400;
const patienceMs = 5000;

/**
 * The commits that a question after a commit or a reason is about: those whose messages have its words, and where it names
 * a symbol, those that wrote the lines of it that have its other words. Nothing where no message has enough of them.
 */
export async function commitsAbout(
  context: AnswersContext,
  { subject, asks }: { subject: string; asks: 'why' | 'commit' },
): Promise<{ cited: Cited[]; total: number; notes?: string[] }> {
  const project = context.repository.root.split(/[\\/]/).at(-1) ?? '';
  const [told, wrote] = await Promise.all([
    commitsTelling(context.git, subject, { project }),
    asks === 'why' ? writersOf(context, subject) : new Map<string, number>(),
  ]);
  const missing = [...wrote.keys()].filter((sha) => !told.some(({ ref }) => idOf(ref) === sha));
  const ranked = [...told, ...scored(await messagesOf(context.git, missing), tellingWords(subject, project))]
    .map((commit) => ({ ...commit, share: commit.share + wroteIt * (wrote.get(idOf(commit.ref)) ?? 0) }))
    .sort((left, right) => right.share - left.share || right.at - left.at);
  const [first] = ranked;
  const best = first?.share ?? 0;
  if (!first || (best < enough && (wrote.get(idOf(first.ref)) ?? 0) < surelyWrote))
    return { cited: [], total: 0 };
  const near = ranked.filter(({ share }) => share >= best * nearBest && share >= wroteIt);
  const unsaid = unsaidIn(ranked, subject, project);
  return {
    cited: near.slice(0, most).map(withReason),
    total: near.length,
    notes:
      unsaid.length > 0 ? [`No commit message has ${unsaid.map((word) => `"${word}"`).join(' or ')}.`] : [],
  };
}

const longWord = 5;

/** Words of the text as they were typed that no message has in any form. */
function unsaidIn(commits: ToldCommit[], text: string, project: string): string[] {
  const wanted = new Set(tellingWords(text, project).filter((word) => word.length >= longWord));
  const isSaid = (word: string) => commits.some(({ message }) => message.toLowerCase().includes(word));
  const missing = [...wanted].filter((word) => !isAlike(word) && !isSaid(word));
  const typed = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return missing.flatMap((word) => typed.find((each) => searchWords(each).includes(word)) ?? []);
}

/** Commits among other sources, each with what its message says below its title. */
export async function withMessages<Source extends Cited>(git: Git, sources: Source[]): Promise<Source[]> {
  const isCommit = ({ domain, ref }: Cited) => domain === 'commits' && isRefOf(ref, 'commit');
  const told = await messagesOf(
    git,
    sources.filter(isCommit).map(({ ref }) => idOf(ref)),
  );
  const byRef = new Map(told.map((commit) => [commit.ref, explanationOf(commit.message)]));
  return sources.map((source) => {
    const why = byRef.get(source.ref);
    return why ? { ...source, reason: `${source.reason}: ${why}` } : source;
  });
}

const messagesOf = async (git: Git, commits: string[]): Promise<ToldCommit[]> =>
  commits.length === 0
    ? []
    : readTold(
        await git.text(['log', '--no-walk=unsorted', `--format=%x1e${commitFormat}%n%b`, ...commits], {
          accept: [128],
          timeoutMs: patienceMs,
        }),
      );

/** Commits that wrote lines of a symbol that the text names, by the share of its other words that the best line has. */
async function writersOf(context: AnswersContext, text: string): Promise<Map<string, number>> {
  const writers = new Map<string, number>();
  const names = readQuery(text).identifiers.map((name) => name.split(/::|[.#]/).at(-1) ?? name);
  const code = await context.code();
  for (const name of names.slice(0, mostNames)) {
    const symbol = code
      .find(name)
      .find((each) => each.kind !== 'file' && each.name === name && !isTestPath(each.path));
    if (!symbol) continue;
    const others = new Set(tellingWords(text.replaceAll(name, ' ')));
    const end = Math.min(symbol.end_line, symbol.line + longestBody);
    const lines = (readWorktreeFile(context.repository.root, symbol.path) ?? '').split('\n');
    const worth = lines.slice(symbol.line - 1, end).map((line) => {
      const held = new Set(searchWords(line));
      return [...others].filter((word) => held.has(word)).length / Math.max(1, others.size);
    });
    if (!worth.some((each) => each > 0)) continue;
    const blamed = await blame(context.git, symbol.path, symbol.line, end);
    for (const [at, sha] of blamed.entries())
      if ((worth[at] ?? 0) > 0) writers.set(sha, Math.max(writers.get(sha) ?? 0, 0.5 + (worth[at] ?? 0) / 2));
  }
  return writers;
}

/** The commit of each line. */
async function blame(git: Git, path: string, from: number, to: number): Promise<string[]> {
  const { stdout } = await git.run(
    ['blame', '-s', '-l', '-w', '--abbrev=64', `-L${from},${to}`, '--', path],
    {
      accept: [128],
      timeoutMs: patienceMs,
    },
  );
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => /^\^?([0-9a-f]{40,64})/.exec(line)?.[1] ?? '');
}

/** Commits that take back what the subject names: those that say so in their title first, the latest first. */
export async function revertsOf(
  git: Git,
  subject: string,
  limit: number,
): Promise<{ cited: Cited[]; total: number }> {
  const isRevert = ({ place, message }: ToldCommit) =>
    /^revert/i.test(place) ? 2 : Number(/\breverts? (?:commit|[0-9a-f]{7}|"|#\d)/i.test(message));
  const hasWhole = ({ message }: ToldCommit) => message.toLowerCase().includes(subject.toLowerCase());
  const reverts = await commitsTelling(git, subject, { reverts: true });
  // `Revert #12`: what it takes back is told by the commit that has the number.
  const meant = (await commitsTelling(git, subject))
    .filter(({ share }) => share >= enough)
    .slice(0, most)
    .flatMap(({ ref, place }) => [idOf(ref), ...(place.match(/#\d+/g) ?? [])]);
  const names = ({ message }: ToldCommit) => meant.some((each) => message.includes(each));
  const whole = reverts.filter((each) => hasWhole(each) || (isRevert(each) === 2 && names(each)));
  const all = whole.length > 0 ? whole : reverts.filter(({ share }) => share >= enoughOfRevert);
  const cited = all
    .filter((each) => isRevert(each) > 0 || whole.length > 0)
    .sort((a, b) => isRevert(b) - isRevert(a) || (whole.length > 0 ? b.at - a.at : b.share - a.share));
  return { cited: cited.slice(0, limit).map(withReason), total: cited.length };
}

const enoughOfRevert = 0.4;
