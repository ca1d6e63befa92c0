import { expect, test } from 'vitest';
import { treeEvidence } from '../../bench/claims/tree-evidence.ts';
import cases from '../../fixtures/claims/cases.json' with { type: 'json' };
import soundDecisions from '../../fixtures/claims/sound-decisions.json' with { type: 'json' };
import world from '../../fixtures/claims/world.json' with { type: 'json' };
import { createGit } from '../../src/base/git/index.ts';
import { extractClaims } from '../../src/engines/claims/claims.ts';
import { checkText, verifyText } from '../../src/engines/claims/firewall.ts';
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

test('the firewall confirms what the tree shows, refutes what stands against it and leaves the rest open', async () => {
  const code = await codeOf(world);
  for (const { text, holds } of cases) {
    const verdicts = (await checkText(text, code)).map(({ verdict }) => verdict);
    expect({ text, refuted: verdicts.includes('contradicted') }).toEqual({ text, refuted: holds === false });
    if (holds) expect(verdicts, text).toContain('supported');
  }
});

test('a sound decision about things that the code has never seen is neither refuted nor verified', async () => {
  const code = await codeOf(world);
  for (const text of soundDecisions)
    expect({
      text,
      verdicts: (await checkText(text, code)).filter(({ verdict }) => verdict !== 'unknown'),
    }).toEqual({
      text,
      verdicts: [],
    });
});

test('evidence verifies only what it can mean: the version that is said, one member, no test, a name that people use', async () => {
  const code = await codeOf({
    'package.json': JSON.stringify({
      dependencies: { react: '^18.2.0', '@tanstack/react-query': '5.0.0', whisperx: '3.0.0' },
      devDependencies: { '@playwright/test': '1.40.0', typescript: '5.4.0' },
    }),
    'src/queue.ts': 'export class Queue {\n  size() {}\n  close() {}\n}\n',
    'src/pool.ts':
      'export class Pool {\n  close() {}\n  drain() {}\n}\nexport interface Api {\n  drainAll(): void;\n}\n',
    'src/pool.test.ts': 'function onInvalid() {}\nfunction openPool() {}\n',
    'src/flush.test.ts': 'class Fake {\n  flush() {}\n}\n',
    'src/flush.ts': 'export class Flow {\n  flush() {}\n}\n',
    'client/package.json': JSON.stringify({ dependencies: { zod: '4.0.0' } }),
    'src/open.ts': 'export function openPool() {}\n',
  });
  const isVerified = async (text: string) => (await verifyText(text, code)).verified;
  for (const text of [
    'We use React 18 for the interface.',
    'We use React 18.2 for the interface.',
    'We check the types using TypeScript.',
    'The client uses zod to validate.',
    'This project uses zod to validate.',
    'We use Playwright for end-to-end tests.',
    'We use React Query to fetch data.',
    'Use **WhisperX** (the fast one) as the default engine.',
    '`Queue` exposes `size()` and `close()`.',
    'feat: add `drain()`',
    'The package exports `openPool` as a function.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: true });
  for (const text of [
    'We use React 19 for the interface.',
    'We used TypeScript documentation as a source of truth.',
    'This option uses TypeScript for everything.',
    'Requires `whisperx` as a peer dependency.',
    'The extension parser uses zod to validate.',
    'feat: add `flush()`',
    '`Queue` exposes `drain()`.',
    'feat: add `close()`',
    'chore: add pool.drain() overhead benchmark',
    'feat: add onInvalid',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: false });
  expect((await checkText('One route for each `Api` method.', code)).map(({ verdict }) => verdict)).toEqual([
    'unknown',
  ]);
});

test('a decision is verified in the words of records: chosen options, jobs, tools known by their files, a file that uses a package', async () => {
  const code = await codeOf({
    'package.json': JSON.stringify({
      dependencies: {
        next: '14.1.0',
        '@acme/shared': '1.0.0',
        tailwindcss: '3.4.0',
        pg: '8.0.0',
        preact: '10.0.0',
      },
    }),
    'Cargo.toml': '[dependencies]\nvtkio = "0.6.3"\n',
    'src/vtk.rs': 'use vtkio::model::Vtk;\n',
    'src/other.rs': 'fn other() {}\n',
    'src/reader.ts': 'export interface Reader {}\n',
    'src/pad.ts': "import pad from 'leftpad';\nexport const padded = pad('a');\n",
    '.github/workflows/ci.yml': 'on: push\n',
    'examples/one/Dockerfile': 'FROM scratch\n',
    'acceptance-tests/package.json': JSON.stringify({ dependencies: { bullmq: '1.0.0' } }),
  });
  const isVerified = async (text: string) => (await verifyText(text, code)).verified;
  for (const text of [
    'Chosen option: "vtkio 0.6.3", because it is proven.',
    'Styling: Tailwind CSS for a utility-first workflow.',
    'Orders will use **PostgreSQL** as its database.',
    'We will use `Next.js`',
    'We will use **GitHub Actions** for releases.',
    'Use `preact` instead of `react`.',
    'Instead, we will use Postgres for the queue.',
    '`src/vtk.rs` uses `vtkio` for reading.',
    '`vtkio` is listed in `Cargo.toml`.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: true });
  for (const text of [
    'Chosen option: "vtkio 0.7", because it is proven.',
    'Chosen option: "Option A", because it is proven.',
    'It will use PostgreSQL as its database.',
    'Styling: Tailwind CSS is one of several.',
    'We will use Docker for releases.',
    'Choose **GitHub Actions** as the publisher type.',
    '`src/other.rs` uses `vtkio` for reading.',
    'We will use bullmq for the task queue.',
    'Use `react` instead of `preact`.',
    'Used next to the addresses and totals.',
    'At Acme, we have built sites using Next.js, with some teams on others.',
    'fix: moves the checkout to ci.yml',
    'refactor: move sprites to @acme/shared',
    '`leftpad` will be used to write records.',
    'apps/web depends on `pg` for reports.',
    'Each reader implements `Reader`.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: false });
});

test('only manifests and definitions of the project itself verify a claim', async () => {
  const code = await codeOf({
    ...world,
    'demo/package.json': '{ "dependencies": { "redux": "^5.0.0" } }',
    'demo/app.js': "import { createStore } from 'redux';\n",
    'src/component.js': 'export class Component {\n  setState(next) {}\n}\n',
    'debug/src/debug.js': 'export async function setState() {}\n',
    'src/one.ts': 'export const limit = 5;\n',
    'src/two.ts': 'export const limit = 9;\n',
  });
  const said = async (text: string) => (await checkText(text, code)).map(({ verdict }) => verdict);
  expect(await said('We use redux for state management.')).toEqual(['unknown']);
  // It may answer later without a word about it in its head.
  expect(await said('`Component.setState` is async.')).toEqual(['unknown']);
  expect(await said('`Component.setState` is a class.')).toEqual(['contradicted']);
  expect(await said('`Component.limit` is 5.')).toEqual(['unknown']);
  expect(await said('`limit` is 5.')).toEqual(['unknown']);
});

test('a word that is also the name of a package verifies nothing: as a plain word, in advice and in quoted code', async () => {
  const manifest = JSON.stringify({
    dependencies: { events: '1.0.0', grep: '1.0.0', ureq: '1.0.0', bullmq: '1.0.0' },
  });
  const code = await codeOf({ 'package.json': manifest, 'src/a.ts': "import 'events';\n" });
  for (const text of [
    'We use commands and events to talk to the core domain.',
    'If the latter, then, just use grep.',
    'A `use ureq` outside of the notifier is a mistake.',
    'The parameter is sent via the events of the page.',
    'We attempted to move to bullmq a few times.',
    'Write messages such as `feat: use bullmq`.',
  ])
    expect(
      (await checkText(text, code)).map(({ verdict }) => verdict),
      text,
    ).not.toContain('supported');
  expect(await checkText('We use bullmq for the task queue.', code)).toMatchObject([
    { verdict: 'supported' },
  ]);
});

test('a use is verified by an import of the package, not by a name that an import binds or a module of the project', async () => {
  const code = await codeOf({
    'package.json': JSON.stringify({ dependencies: { 'react-router': '1.0.0' } }),
    'src/card.tsx': "import GitHub from './icons';\nimport formbricksLogo from './logo';\n",
    'tools/github.py': 'token = 1\n',
    'src/repo_man/cli.py': 'from repo_man.core import run\n',
    'tools/main.py': 'import github\nimport requests\n',
    'src/api.ts': "import { got } from 'got/dist';\nimport { run } from '@/run';\n",
  });
  const isVerified = async (text: string) => (await verifyText(text, code)).verified;
  for (const text of [
    'We use `got` to fetch.',
    'We use Requests to fetch.',
    'We will use React Router for pages.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: true });
  for (const text of [
    'We are moving to GitHub for our images.',
    'We use GitHub to export data.',
    'Use `repo-man` for everything.',
    'Use the `@` import alias for src.',
    'We use Formbricks to ask.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: false });
});

test('removing something that has the name of a package in front is not removing the package', async () => {
  const code = await codeOf({ 'package.json': JSON.stringify({ dependencies: { redis: '1.0.0' } }) });
  const said = async (text: string) => (await checkText(text, code)).map(({ verdict }) => verdict);
  expect(await said('Remove the redis container and its volume if it had one.')).not.toContain(
    'contradicted',
  );
  for (const text of [
    'Remove all `redis`',
    'Remove `redis` from `packages/web/package.json`.',
    'Remove the `redis:*` scripts.',
  ])
    expect([text, (await said(text)).includes('contradicted')]).toEqual([text, false]);
  expect(await said('We removed redis from the project.')).toEqual(['contradicted']);
  expect(await said('chore: remove redis usage')).toEqual(['contradicted']);
});

test('a sentence is verified by what it states, not by a name that occurs on the way', async () => {
  const code = await codeOf({
    'package.json': JSON.stringify({ dependencies: { electron: '1.0.0', bullmq: '1.0.0' } }),
    'src/a.ts': "import tags from 'tags';\n",
    'src/goals.ts': 'export class Goals {}\nexport class Zoom extends Goals {}\nexport const limit = 5;\n',
  });
  const isVerified = async (text: string) => (await verifyText(text, code)).verified;
  for (const text of [
    'We will use the Electron framework for two reasons.',
    'We have chosen to use Electron as our front-end framework.',
    'For this, we use bullmq to queue tasks.',
    'Electron was chosen for the desktop application.',
    'The desktop application is built with Electron.',
    '`Zoom` extends `Goals`.',
    '`Goals` is defined in src/goals.ts.',
    '`limit` is 5.',
    'refactor: move Goals to src/goals.ts',
    'feat: add `Goals`',
    'We added `Zoom` to zoom in.',
    'Furthermore in development this project uses bullmq to queue.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: true });
  for (const text of [
    'Testing has a much reduced risk by using Electron, as Chromium aims at parity.',
    'This rule is not applied to the `Goals` class itself.',
    'The only exception is a `Zoom` class.',
    'We decide to extract the function out of the `Goals` class.',
    'The header that is set via bullmq does not work with forms.',
    'This allows us to use Electron everywhere.',
    'The shell, which uses Electron, is somebody else’s.',
    'We use bullmq or a table of our own.',
    'It uses Electron.',
    'Use tags to capture topics.',
    '`Goals` - the definitions of goals',
    'This script adds Goals records to the table.',
    'Add a new `limit` key for the event.',
    'Create `src/goals.ts` with the following content.',
    'Use `src/goals.ts` for the latest note.',
    'Using Electron in such a way makes every start slow.',
  ])
    expect({ text, verified: await isVerified(text) }).toEqual({ text, verified: false });
});

test('what is meant to come is not refuted because it was there before', async () => {
  const repository = testRepository();
  repository.commit('start', {
    'package.json': '{\n  "dependencies": {\n    "superjson": "1.0.0"\n  }\n}\n',
  });
  repository.commit('drop', { 'package.json': '{\n  "dependencies": {\n  }\n}\n' });
  const code = treeEvidence(createGit(repository.path), repository.git('rev-parse', 'HEAD'));
  const verdicts = async (text: string) => (await checkText(text, code)).map(({ verdict }) => verdict);
  expect(await verdicts('I will add `superjson` as a dependency to serialize props.')).not.toContain(
    'contradicted',
  );
  expect(await verdicts('We use `superjson` to serialize props.')).toContain('contradicted');
});

test('what a commit removed, moved or renamed is refuted with that commit', async () => {
  const repository = testRepository();
  repository.commit('start', {
    'package.json': manifest({ webpack: '1', mocha: '1' }, { hooks: 'node hooks.js' }),
    'demo/package.json': manifest({ redux: '1' }),
    'src/parse.ts': 'export function parseHeader() {}\n',
    'src/old-place.ts': Array.from({ length: 20 }, (_, n) => `export const value${n} = ${n};`).join('\n'),
    'src/dropped.ts': 'export const gone = 1;\n',
  });
  repository.commit('swap', {
    'package.json': manifest({ mocha: '1' }),
    'demo/package.json': manifest({}),
    'src/parse.ts': 'export function readHeader() {}\n',
  });
  repository.git('mv', 'src/old-place.ts', 'src/new-place.ts');
  repository.git('rm', '-q', 'src/dropped.ts');
  repository.commit('tidy', {});
  const code = treeEvidence(createGit(repository.path), repository.git('rev-parse', 'HEAD'));
  const [tidy, swap] = ['HEAD', 'HEAD~1'].map((name) => repository.git('rev-parse', name).slice(0, 10));
  const said = async (text: string) =>
    (await checkText(text, code)).map(
      ({ verdict, finding }) => `${verdict}: ${finding.replace(/ \(.*\)$/, '')}`,
    );
  expect(await said('We use webpack for bundling.')).toEqual([
    `contradicted: webpack was removed from package.json by commit ${swap}`,
  ]);
  expect(await said('chore: remove webpack')).toEqual([
    `supported: webpack was removed from package.json by commit ${swap}`,
  ]);
  expect(await said('The settings are read in src/old-place.ts.')).toEqual([
    `contradicted: src/old-place.ts was moved to src/new-place.ts by commit ${tidy}`,
  ]);
  expect(await said('See src/dropped.ts for the list.')).toEqual([
    `contradicted: src/dropped.ts was removed by commit ${tidy}`,
  ]);
  expect(await said('feat: add `parseHeader`')).toEqual([
    `contradicted: parseHeader was removed from src/parse.ts by commit ${swap}`,
  ]);
  // A path may be named because it is gone, in any language.
  expect(await said('The list in src/dropped.ts was merged into another.')).toEqual([]);
  expect(await said('src/dropped.ts удалён.')).toEqual([]);
  // A script of a manifest and the manifest of a demo are no packages of the project.
  expect(await said('We use hooks for state.')).toEqual(['unknown: nothing called hooks was found']);
  expect(await said('We use redux for state.')).toEqual(['unknown: nothing called redux was found']);
});

const manifest = (dependencies: Record<string, string>, scripts = {}) =>
  JSON.stringify({ scripts, dependencies }, undefined, 2);

async function codeOf(files: Record<string, string>) {
  const repository = testRepository();
  repository.commit('start', files);
  return treeEvidence(createGit(repository.path), repository.git('rev-parse', 'HEAD'));
}

test('a class that is called an interface is neither verified nor refuted; one that is called a function is refuted', async () => {
  const code = await codeOf({ 'src/store.ts': 'export class FolderStore {}\nexport interface Shelf {}\n' });
  const verdict = async (text: string) => (await checkText(text, code)).map((claim) => claim.verdict);
  expect(await verdict('`FolderStore` is an interface.')).toEqual(['unknown']);
  expect(await verdict('`FolderStore` is a function.')).toEqual(['contradicted']);
  expect(await verdict('`Shelf` is an interface.')).toEqual(['supported']);
});
