import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCollections, requestsFromBodies, requestsFromTriggers, split } from '../../bench/skill-cases.ts';
import { measureChoice } from '../../bench/skill-choice.lab.ts';
import { examine } from '../../bench/skill-collections.lab.ts';
import { skillText, writeSkills } from '../support/skills.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Skill, what it does, when to use it: written as public descriptions are, with other words in the second half. */
const library: Array<[id: string, does: string, when: string]> = [
  [
    'office/spreadsheets',
    'Create and edit Excel workbooks with formulas, charts and formatting',
    'a person wants a budget table calculated or numbers laid out in rows and columns',
  ],
  [
    'office/slides',
    'Build presentation decks from an outline with layouts and speaker notes',
    'someone has to give a talk or pitch and needs pages to show on the screen',
  ],
  [
    'office/contracts',
    'Review legal agreements clause by clause and flag unusual obligations',
    'a lawyer asks which terms of a signed deal are risky',
  ],
  [
    'data/postgres',
    'Tune PostgreSQL queries with indexes, statistics and execution plans',
    'the database answers slowly and a query has to become faster',
  ],
  [
    'data/cleaning',
    'Find duplicates, missing values and wrong types in tabular data sets',
    'a CSV is messy and must be tidied before analysis',
  ],
  [
    'ops/kubernetes',
    'Debug pods, services and deployments of a Kubernetes cluster',
    'a container keeps crashing or restarts after a rollout',
  ],
  [
    'ops/incident',
    'Lead an outage from the first alert to the written post-mortem',
    'production is down and people need to be told what happened',
  ],
  [
    'code/review',
    'Read a pull request for correctness, tests and readable names',
    'a colleague asks for feedback on a branch before merging',
  ],
  [
    'code/regression',
    'Bisect commits and write a failing test for a defect',
    'something worked last week and is broken now',
  ],
  [
    'media/gifs',
    'Produce small animated GIF images for chat applications',
    'somebody wants a funny moving picture for the team channel',
  ],
  [
    'media/podcast',
    'Cut, level and transcribe spoken audio recordings',
    'an interview was recorded and has to be published',
  ],
  [
    'web/accessibility',
    'Check pages for contrast, keyboard use and screen readers',
    'a site must be usable by blind visitors',
  ],
];

async function cases() {
  const root = writeSkills(
    temporaryDirectory('choice'),
    Object.fromEntries(
      library.map(([id, does, when]) => [
        `${id}/SKILL.md`,
        skillText(
          id.split('/')[1]!,
          `${does}. Use when ${when}.`,
          `# X\n\n## Example requests\n\n- "please help, ${when}"\n`,
        ),
      ]),
    ),
  );
  return readCollections([root]);
}

test('cases are built so that the ranking never sees the words of a request', async () => {
  const documents = await cases();
  const { skills, cases: requests } = requestsFromTriggers(documents);
  expect(requests).toHaveLength(library.length);
  for (const { request, id } of requests)
    expect(skills.find((skill) => skill.id === id)!.description).not.toContain(request);
  expect(requestsFromBodies(documents)).toHaveLength(library.length);
  const { tuning, held } = split(skills, requests);
  expect(tuning.length + held.length).toBe(library.length);
  const authors = (list: Array<{ id: string }>) => new Set(list.map(({ id }) => id.split('/')[0]));
  expect([...authors(tuning)].filter((author) => authors(held).has(author))).toEqual([]);
});

test('choice: our ranking is at least as good as substring and BM25, and better than the first', async () => {
  const { skills, cases: requests } = requestsFromTriggers(await cases());
  const { scores } = await measureChoice('miniature', { skills, tuning: [], held: requests }, 'held');
  expect(scores['ours, quick']!.reciprocal).toBeGreaterThan(scores.substring!.reciprocal);
  expect(scores['ours, quick']!.reciprocal).toBeGreaterThanOrEqual(scores.bm25!.reciprocal);
});

test('collections: every file is a skill or a problem with reason and line', async () => {
  const root = writeSkills(temporaryDirectory('collection'), {
    'good/SKILL.md': 'fine',
    'good/inner/SKILL.md': 'nested',
    'a/bad/SKILL.md': 'no\nfront matter',
    'a/half/SKILL.md': '---\nname: half\n',
    'Odd Name/SKILL.md': 'not referable',
  });
  symlinkSync('/etc', join(root, 'out'));
  const report = await examine(root);
  expect(report).toMatchObject({ files: 5, skills: 2, unexplained: [] });
  expect(report.counts).toMatchObject({
    'error nested': 1,
    'error no-front-matter': 1,
    'error unclosed': 1,
    'error link': 1,
  });
});
