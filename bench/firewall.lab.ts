import { basename, dirname } from 'node:path';
import { createGit } from '../src/base/git/index.ts';
import { checkText, isBorneOut, isContradicted } from '../src/engines/claims/firewall.ts';
import { treeEvidence } from './claims/tree-evidence.ts';
import { outdatedSentences } from './firewall/outdated.ts';
import { documentSentencesOf, messageSentencesOf, recordSentences } from './firewall/records.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Sentences of decision records at the commit that added them, none of which should be refuted, and sentences that
 * were true once and are false now (`records` and `outdated` measure one of the two alone). `documents` takes the prose of HEAD instead,
 * `messages` that of commits. `--from GITDIR`
 * once for each repository; `show` prints every refuted and verified sentence for judging by hand.
 */
export default async function run({ from, words, cases = '40' }: BenchOptions): Promise<void> {
  if (from.length === 0) throw new Error('give repositories: npm run lab -- firewall --from GITDIR');
  const show = words.includes('show');
  const isProse = words.includes('documents') || words.includes('messages');
  const records = { sentences: 0, withClaim: 0, refuted: 0, verified: 0, checkable: 0, checkableVerified: 0 };
  const outdated = new Map<string, { all: number; refuted: number; trueThen: number }>();
  const sentencesOf = (place: string) => {
    if (words.includes('documents')) return documentSentencesOf(place);
    if (words.includes('messages')) return messageSentencesOf(place);
    return words.includes('outdated') ? [] : recordSentences(place);
  };
  for (const place of from) {
    const git = createGit(place);
    const name = basename(dirname(place));
    const evidence = new Map<string, ReturnType<typeof treeEvidence>>();
    const at = (tree: string) => {
      // What is gone verifies nothing here: the past is not searched for.
      const known = evidence.get(tree) ?? treeEvidence(git, tree, isProse ? 1 : undefined);
      evidence.set(tree, known);
      return known;
    };
    for (const { text, tree, checkable } of sentencesOf(place)) {
      const checked = await checkText(text, at(tree));
      const has = (verdict: string) => checked.some((each) => each.verdict === verdict);
      records.sentences++;
      if (checked.length > 0) records.withClaim++;
      if (checkable) records.checkable++;
      const verified = !has('contradicted') && checked.some(isBorneOut);
      if (checkable && verified) records.checkableVerified++;
      if (has('contradicted')) records.refuted++;
      if (verified) records.verified++;
      if (!show) continue;
      if (checkable && !verified) console.log(`open      ${name} ${tree.slice(0, 8)} ${text}`);
      for (const each of checked)
        if (isContradicted(each) || (verified && isBorneOut(each)))
          console.log(
            `${isContradicted(each) ? 'refuted' : 'verified'}   ${name} ${tree.slice(0, 8)} ${text} — ${each.finding}`,
          );
    }
    for (const { kind, text, before } of ['documents', 'messages', 'records'].some((word) =>
      words.includes(word),
    )
      ? []
      : outdatedSentences(place, Number(cases))) {
      const count = outdated.get(kind) ?? { all: 0, refuted: 0, trueThen: 0 };
      outdated.set(kind, count);
      const refuted = (await checkText(text, at('HEAD'))).find(({ verdict }) => verdict === 'contradicted');
      const then = await checkText(text, treeEvidence(git, before));
      count.all++;
      if (refuted && refuted.places.length > 0) count.refuted++;
      if (!then.some(({ verdict }) => verdict === 'contradicted')) count.trueThen++;
      if (show && !refuted) console.log(`missed    ${name} ${text}`);
    }
    console.log(`${name}: ${records.sentences} sentences so far`);
  }
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)} %)`;
  console.log(
    `\nrecords at their own commit: ${records.sentences} sentences, ${records.withClaim} with a claim`,
  );
  console.log(`  refuted: ${share(records.refuted, records.sentences)}`);
  console.log(
    `  verified: ${records.verified}; of the checkable ${share(records.checkableVerified, records.checkable)}`,
  );
  console.log('true once, false now:');
  for (const [kind, { all, refuted, trueThen }] of outdated)
    console.log(
      `  ${kind}: refuted with evidence ${share(refuted, all)}; not refuted when it was true ${share(trueThen, all)}`,
    );
  const sum = [...outdated.values()].reduce(
    (a, b) => ({ all: a.all + b.all, refuted: a.refuted + b.refuted }),
    {
      all: 0,
      refuted: 0,
    },
  );
  console.log(`  all: ${share(sum.refuted, sum.all)}`);
}
