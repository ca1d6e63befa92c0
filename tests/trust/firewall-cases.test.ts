import { expect, test } from 'vitest';
import { treeEvidence } from '../../bench/claims/tree-evidence.ts';
import cases from '../../fixtures/claims/cases.json' with { type: 'json' };
import world from '../../fixtures/claims/world.json' with { type: 'json' };
import { createGit } from '../../src/base/git/index.ts';
import { extractClaims } from '../../src/engines/claims/claims.ts';
import { checkText } from '../../src/engines/claims/firewall.ts';
import { testRepository } from '../support/repository.ts';

test('claims of the five kinds are read from a sentence, and plans, questions and comparisons are none', () => {
  for (const { text, claims } of cases) {
    const read = extractClaims(text).map(({ kind, object, negated }) => [kind, object, negated]);
    for (const [kind, , object, negated] of claims)
      expect(
        read.some(([known, name, not]) => isAlike(known, kind) && name === object && not === negated),
        `${text} → ${JSON.stringify(read)}`,
      ).toBe(true);
    if (claims.length === 0) expect(read, text).toEqual([]);
  }
});

/** A verb alone does not say whether a package or a definition is meant. */
const isAlike = (left: unknown, right: unknown): boolean =>
  left === right || (['uses', 'has'].includes(String(left)) && ['uses', 'has'].includes(String(right)));

test('the firewall confirms what the tree shows and refutes what it does not', async () => {
  const repository = testRepository();
  repository.commit('start', world);
  const code = treeEvidence(createGit(repository.path), repository.git('rev-parse', 'HEAD'));
  for (const { text, holds } of cases) {
    const verdicts = (await checkText(text, code)).map(({ verdict }) => verdict);
    const refuted = verdicts.some((verdict) => verdict === 'contradicted' || verdict === 'unsupported');
    expect({ text, refuted }).toEqual({ text, refuted: holds === false });
    if (holds) expect(verdicts, text).toContain('supported');
  }
});

test('where a file that is named is not there, the code that the sentence speaks of is named instead', async () => {
  const repository = testRepository();
  repository.commit('start', {
    'src/flash.py': 'def flash(message):\n    return message\n',
    'src/app.py': 'from flash import flash\n\nflash("hello")\n',
  });
  const code = treeEvidence(createGit(repository.path), repository.git('rev-parse', 'HEAD'));
  const [refuted] = await checkText('Everything about flash stands in docs/flash-notes.md.', code);
  expect(refuted).toMatchObject({
    verdict: 'contradicted',
    finding: 'file docs/flash-notes.md does not exist; flash is defined in src/flash.py:1',
    places: [{ path: 'src/flash.py' }],
  });
  const [unknown] = await checkText('Everything about it stands in docs/other-notes.md.', code);
  expect(unknown).toMatchObject({ finding: 'file docs/other-notes.md does not exist', places: [] });
});
