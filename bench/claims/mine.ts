import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type ClaimPair, type Draft, holdsNow, keyOf, type LabelledClaim } from './claim.ts';
import { claimsOfCommit, readCommits } from './mine-commits.ts';
import { claimsOfDocument, readDocuments } from './mine-documents.ts';
import { createTreeFacts, gitText, type TreeFacts } from './tree-facts.ts';

export interface MinedRepository {
  name: string;
  gitDirectory: string;
  claims: LabelledClaim[];
  pairs: ClaimPair[];
  /** Sentences of commits as they come, each true at its own tree as far as its author knew. */
  controls: Array<{ text: string; at: string }>;
}

/** At most this many sentences of one kind, polarity and source from one repository, so that none speaks for all. */
const mostOfAKind = 12;
const mostPairs = 20;
const mostControls = 40;

/** Sentences of commit messages and READMEs with labels computed from the trees. The same directory gives the same set. */
export function mineRepository(gitDirectory: string, mostCommits = 4000): MinedRepository {
  const name = basename(gitDirectory.replace(/\/(?:repo|\.git)\/?$/, '')).replace('+', '/');
  const factsAt = createTreeFacts(gitDirectory);
  const head = gitText(gitDirectory, ['rev-parse', 'HEAD']).trim();
  const all: LabelledClaim[] = [];
  const own = name.split('/').at(-1)!.toLowerCase();
  const label = (draft: Draft, at: string, before?: string) => {
    // A package that lists itself, for its examples, is not used by itself.
    if (draft.kind === 'uses' && draft.object === own) return;
    all.push({
      ...draft,
      repository: name,
      at,
      labels: labelsOf(draft, factsAt, { before, written: at, now: head }),
    });
  };
  const commits = readCommits(gitDirectory, mostCommits);
  for (const commit of commits)
    for (const draft of claimsOfCommit(commit, factsAt)) label(draft, commit.sha, commit.parent);
  for (const document of readDocuments(gitDirectory, head))
    for (const draft of claimsOfDocument(document, factsAt(document.at))) label(draft, document.at);
  // A sentence that is not even true where it was written was misread, by the miner or by its author.
  const honest = distinct(
    all.filter((claim) => claim.labels.find(({ which }) => which === 'written')!.holds),
  );
  return {
    name,
    gitDirectory,
    claims: sample(honest),
    pairs: pairsOf(honest),
    controls: shuffled(
      commits.flatMap((commit) => commit.sentences.map((text) => ({ text, at: commit.sha }))),
      ({ text }) => text,
    ).slice(0, mostControls),
  };
}

function labelsOf(
  draft: Draft,
  factsAt: (tree: string) => TreeFacts,
  trees: { before: string | undefined; written: string; now: string },
): LabelledClaim['labels'] {
  return (['before', 'written', 'now'] as const).flatMap((which) => {
    const tree = trees[which];
    return tree ? [{ which, tree, holds: isSo(draft, factsAt(tree)) !== draft.negated }] : [];
  });
}

function isSo({ kind, subject, object }: Draft, facts: TreeFacts): boolean {
  switch (kind) {
    case 'uses':
      return facts.dependencies().has(object);
    case 'has':
      return object.includes('/') ? facts.paths().has(object) : facts.definitions(object).length > 0;
    case 'location':
      return facts.definitions(subject).some(({ path }) => path === object);
    case 'implements':
      return facts.inherits(subject, object);
    case 'is':
      return facts.isKind(subject, object);
  }
}

const order = (text: string): string => createHash('sha256').update(text).digest('hex');
const shuffled = <T>(list: T[], text: (item: T) => string): T[] =>
  list
    .map((item) => ({ item, at: order(text(item)) }))
    .sort((left, right) => (left.at < right.at ? -1 : 1))
    .map(({ item }) => item);

const distinct = (claims: LabelledClaim[]): LabelledClaim[] => [
  ...new Map(
    claims.map((claim) => [`${keyOf(claim)} ${claim.object} ${claim.negated} ${claim.text}`, claim]),
  ).values(),
];

/** Half of each kind, where there are enough, became untrue later. */
function sample(claims: LabelledClaim[]): LabelledClaim[] {
  const groups = Map.groupBy(
    shuffled(claims, (claim) => `${keyOf(claim)}${claim.text}`),
    (claim) => `${claim.source} ${claim.kind} ${claim.negated}`,
  );
  return [...groups.values()].flatMap((group) => {
    const untrue = group.filter((claim) => !holdsNow(claim));
    const still = group.filter(holdsNow);
    const half = mostOfAKind / 2;
    return [
      ...untrue.slice(0, Math.max(half, mostOfAKind - still.length)),
      ...still.slice(0, Math.max(half, mostOfAKind - untrue.length)),
    ].slice(0, mostOfAKind);
  });
}

function pairsOf(claims: LabelledClaim[]): ClaimPair[] {
  const byKey = Map.groupBy(claims, keyOf);
  const against: ClaimPair[] = [];
  for (const group of byKey.values()) {
    const [left] = group;
    const right = group.find(
      (other) =>
        left!.text !== other.text &&
        (left!.negated !== other.negated ||
          (left!.kind === 'location' && left!.object !== other.object && !bothHold(left!, other))),
    );
    if (right) against.push({ left: left!, right, conflict: true });
  }
  const still = shuffled(claims.filter(holdsNow), (claim) => claim.text);
  const agreeing: ClaimPair[] = [];
  for (const [at, left] of still.entries()) {
    // The hard ones: same kind, and words in common.
    const right = still
      .slice(at + 1)
      .find((other) => other.kind === left.kind && sharedWords(left, other) >= 2);
    if (right) agreeing.push({ left, right, conflict: false });
  }
  return [...shuffled(against, pairText).slice(0, mostPairs), ...agreeing.slice(0, mostPairs)];
}

const pairText = ({ left, right }: ClaimPair): string => left.text + right.text;
const bothHold = (left: LabelledClaim, right: LabelledClaim): boolean => holdsNow(left) && holdsNow(right);

function sharedWords(left: LabelledClaim, right: LabelledClaim): number {
  const words = new Set(
    left.text
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => word.length > 3),
  );
  return new Set(
    right.text
      .toLowerCase()
      .split(/\W+/)
      .filter((word) => words.has(word)),
  ).size;
}
