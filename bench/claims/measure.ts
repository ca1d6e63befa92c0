import { createGit } from '../../src/base/git/index.ts';
import { checkStatements, conflictsAmong } from '../../src/engines/answers/mitigations/conflicts.ts';
import { extractClaims } from '../../src/engines/claims/claims.ts';
import type { CodeEvidence } from '../../src/engines/claims/evidence.ts';
import { checkText, isContradicted } from '../../src/engines/claims/firewall.ts';
import { trustOf } from '../../src/engines/recall/index.ts';
import { treeFiles } from '../../src/stores/conventions/index.ts';
import type { LabelledClaim } from './claim.ts';
import type { MinedRepository } from './mine.ts';
import { count, newScore, type Score } from './score.ts';
import { seedClaims, seedContradicts, seedMismatch, seedRefutes } from './seed-rules.ts';
import { treeEvidence } from './tree-evidence.ts';

export interface Measured {
  firewall: Score;
  seedFirewall: Score;
  byKind: Map<string, Score>;
  /** Claims of which anything was read at all. */
  read: { ours: number; seed: number; all: number };
  mismatch: Score;
  seedMismatch: Score;
  pairs: Score;
  seedPairs: Score;
  /** The same claims put into the sentences that the first design's expressions were written for. */
  plain: Score;
  seedPlain: Score;
  /** Ordinary sentences of commits, each against its own tree: whatever is refuted here is refuted wrongly. */
  alarms: { ours: number; seed: number; all: number };
  mistakes: string[];
}

export function newMeasured(): Measured {
  return {
    firewall: newScore(),
    seedFirewall: newScore(),
    byKind: new Map(),
    read: { ours: 0, seed: 0, all: 0 },
    mismatch: newScore(),
    seedMismatch: newScore(),
    pairs: newScore(),
    seedPairs: newScore(),
    plain: newScore(),
    seedPlain: newScore(),
    alarms: { ours: 0, seed: 0, all: 0 },
    mistakes: [],
  };
}

export async function measureRepository(repository: MinedRepository, into: Measured): Promise<void> {
  const git = createGit(repository.gitDirectory);
  const trees = new Map<string, { code: CodeEvidence; holds: (text: string) => Promise<boolean> }>();
  const at = (tree: string) => {
    let known = trees.get(tree);
    if (!known) {
      const files = treeFiles(git, tree);
      known = {
        code: treeEvidence(git, tree),
        holds: async (text) =>
          (await files.holding([text, text.toLowerCase()])).some((path) => !/\.(md|rst|txt)$/.test(path)),
      };
      trees.set(tree, known);
    }
    return known;
  };
  for (const claim of repository.claims) await measureClaim(claim, at, into);
  for (const { text, at: tree } of repository.controls) {
    into.alarms.all++;
    if ((await checkText(text, at(tree).code)).some(isContradicted)) {
      into.alarms.ours++;
      into.mistakes.push(`alarm ${repository.name} ${tree.slice(0, 8)} ${text}`);
    }
    if (await seedFlags(text, at(tree).holds)) into.alarms.seed++;
  }
  for (const { left, right, conflict } of repository.pairs) {
    const now = left.labels.find(({ which }) => which === 'now')!.tree;
    const statements = [statement('entry:left', left.text), statement('entry:right', right.text)];
    const found = conflictsAmong(statements, await checkStatements(statements, async () => at(now).code));
    const said = found.some(({ kind }) => kind !== 'source_mismatch');
    count(into.pairs, said, conflict);
    count(into.seedPairs, seedContradicts(left.text, right.text), conflict);
    if (said !== conflict)
      into.mistakes.push(`pair ${conflict ? 'missed' : 'invented'}: ${left.text} <> ${right.text}`);
  }
}

const statement = (ref: string, text: string) => ({
  ref,
  domain: 'chronicle',
  text,
  at: 0,
  trust: trustOf({ kind: 'entry', byPerson: true }),
});

async function seedFlags(
  text: string,
  holds: (text: string) => Promise<boolean>,
  name?: string,
): Promise<boolean> {
  for (const claim of seedClaims(text))
    if ((!name || claim.text.toLowerCase().includes(name.toLowerCase())) && (await seedRefutes(claim, holds)))
      return true;
  return false;
}

async function measureClaim(
  claim: LabelledClaim,
  at: (tree: string) => { code: CodeEvidence; holds: (text: string) => Promise<boolean> },
  into: Measured,
): Promise<void> {
  const name = claim.kind === 'uses' || claim.kind === 'has' ? claim.object : claim.subject;
  const place = claim.kind === 'location' ? claim.object.split('/').at(-1)! : '';
  const isAbout = (found: { subject: string; object: string }) =>
    [found.subject, found.object].some(
      (said) =>
        said.toLowerCase() === name.toLowerCase() ||
        [`.${name}`, `#${name}`, `::${name}`].some((end) => said.endsWith(end)),
    ) &&
    (place === '' || found.object.endsWith(place) || found.object === name);
  into.read.all++;
  if (extractClaims(claim.text).some(isAbout)) into.read.ours++;
  if (seedClaims(claim.text).some(({ text }) => text.toLowerCase().includes(name.toLowerCase())))
    into.read.seed++;
  for (const { which, tree, holds } of claim.labels) {
    const { code, holds: contains } = at(tree);
    const said = (await checkText(claim.text, code))
      .filter((checked) => isAbout(checked.claim))
      .some(isContradicted);
    count(into.firewall, said, !holds);
    const kind = into.byKind.get(claim.kind) ?? newScore();
    into.byKind.set(claim.kind, kind);
    count(kind, said, !holds);
    count(into.seedFirewall, await seedFlags(claim.text, contains, name), !holds);
    if (said === holds)
      into.mistakes.push(
        `${said ? 'wrongly refuted' : 'missed'} (${which} ${claim.kind} ${claim.negated ? 'not ' : ''}${name}) ${claim.repository} ${tree.slice(0, 8)}: ${claim.text}`,
      );
    const plain = plainSentence(claim);
    if (plain) {
      count(into.plain, (await checkText(plain, code)).some(isContradicted), !holds);
      count(into.seedPlain, await seedFlags(plain, contains), !holds);
    }
    if (which !== 'now') continue;
    count(into.mismatch, said, !holds);
    count(into.seedMismatch, await seedMismatch(claim.text, contains), !holds);
  }
}

function plainSentence({ kind, subject, object, negated }: LabelledClaim): string | undefined {
  if (negated) return undefined;
  if (kind === 'uses') return `We use ${object} for this.`;
  if (kind === 'implements') return `${subject} implements ${object}.`;
  if (kind === 'location') return `The ${subject} is in ${object}.`;
  return undefined;
}
