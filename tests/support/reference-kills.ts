import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedOf } from '../../src/base/library/index.ts';
import { gitBackend, publishBare } from './local-forge.ts';
import { startSite } from './local-site.ts';
import { openShelfWorld } from './reference-world.ts';

/** `fetch` is create from a git server, killed around the starts of git; the others read local files. */
export type Work = 'create' | 'fetch' | 'refresh' | 'update' | 'remove';

interface Place {
  source: object;
  allowHosts: string[];
  close(): void;
}

export interface KillReport {
  kills: number;
  /** What was found after a kill, and how often. */
  states: Map<string, number>;
  broken: string[];
}

/**
 * Kills a process at its 1st, (1 + step)th, … write until it gets through. After every kill there must be no topic or
 * a whole one, sound databases, and an approval that still holds until the work is done.
 */
export async function killThrough(work: Work, step: number, files: number): Promise<KillReport> {
  const base = mkdtempSync(join(tmpdir(), 'sylk-kills-'));
  const report: KillReport = { kills: 0, states: new Map(), broken: [] };
  const pages = join(base, 'source');
  writeVersion(pages, files, 'first');
  const place = work === 'fetch' ? await published(pages, base) : onDisk(pages);
  try {
    const start = join(base, 'start');
    const approval = await prepare(start, place, work);
    if (work === 'refresh') writeVersion(pages, files, 'second');
    for (let killAt = 1; ; killAt += step) {
      // A git process that outlived its parent may still write: every kill has a home of its own.
      const home = join(base, `home-${killAt}`);
      cpSync(start, home, { recursive: true });
      const { source, allowHosts } = place;
      if (!(await run({ killAt, home, work, source, allowHosts, approval }))) break;
      report.kills++;
      const state = await inspect({ home, work, files, place, approval }).catch(
        (error) => `broken: ${(error as Error).message}`,
      );
      report.states.set(state, (report.states.get(state) ?? 0) + 1);
      if (state.startsWith('broken')) report.broken.push(`${work} killed at write ${killAt}: ${state}`);
    }
  } finally {
    place.close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
  return report;
}

const onDisk = (path: string): Place => ({
  source: { type: 'local', path },
  allowHosts: [],
  close: () => {},
});

/** The same pages behind a git server on loopback. */
async function published(pages: string, base: string): Promise<Place> {
  const identity = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'pages'],
  ])
    spawnSync('git', args, { cwd: pages });
  publishBare(pages, join(base, 'forge'), 'lab/library');
  const server = await startSite(gitBackend(join(base, 'forge')));
  const source = { type: 'git', url: `${server.url}/lab/library.git` };
  return { source, allowHosts: [server.host], close: server.close };
}

function writeVersion(directory: string, files: number, version: string): void {
  mkdirSync(directory, { recursive: true });
  for (let at = 0; at < files; at++)
    writeFileSync(join(directory, `page-${at}.md`), `# Page ${at}\n\nwritten in the ${version} version\n`);
}

async function prepare(home: string, place: Place, work: Work): Promise<string | undefined> {
  const world = await openShelfWorld(home, place.allowHosts);
  try {
    const asked = await world.create(place.source).then(
      () => undefined,
      (error) => String(error.data?.approval_id),
    );
    await world.approvals.answer(asked!, { decision: 'approved', by: 'lab' });
    if (isCreation(work)) return asked;
    await world.create(place.source, asked);
    return undefined;
  } finally {
    await world.close();
  }
}

function run(options: object): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./reference-writer.ts', import.meta.url)), JSON.stringify(options)],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let err = '';
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(err));
    });
  });
}

const isCreation = (work: Work): boolean => work === 'create' || work === 'fetch';

interface Scene {
  home: string;
  work: Work;
  files: number;
  place: Place;
  approval: string | undefined;
}

async function inspect({ home, work, files, place, approval }: Scene): Promise<string> {
  const world = await openShelfWorld(home, place.allowHosts);
  const need = (fine: boolean, what: string) => {
    if (!fine) throw new Error(what);
  };
  try {
    const sound = embeddedOf(world.library).get<{ integrity_check: string }>(
      'PRAGMA integrity_check',
    )?.integrity_check;
    need(sound === 'ok', `library: ${sound}`);
    const topics = await world.references.list();
    need(topics.length <= 1, `${topics.length} topics`);
    const state = topics.length === 0 ? 'no topic' : await whole(world, files);
    if (work === 'refresh' || work === 'update') need(topics.length === 1, 'the topic is gone');
    if (isCreation(work)) {
      const { status } = await world.approvals.get(approval!);
      need(status === 'approved' || status === 'used', `approval is ${status}`);
      need(status === 'approved' || topics.length === 1, 'approval used up, and no topic');
      if (topics.length === 0) await world.create(place.source, approval);
      await whole(world, files);
    }
    return state;
  } finally {
    await world.close();
  }
}

/** Every file on disk, every file searchable, all of one version. */
async function whole(world: Awaited<ReturnType<typeof openShelfWorld>>, files: number): Promise<string> {
  const { topic, directory } = await world.references.show('topic-library');
  const present = readdirSync(directory).filter((name) => name.startsWith('page-'));
  if (present.length !== files || topic.files.length !== files)
    throw new Error(`${present.length} of ${files} files`);
  const hits = await world.references.search({ question: 'page written version', limit: 50 });
  const versions = new Set(hits.map(({ text }) => /(first|second)/.exec(text)?.[0]));
  if (versions.size !== 1) throw new Error(`versions ${[...versions].join(' and ')}`);
  const found = new Set(hits.map(({ file }) => file)).size;
  if (found !== Math.min(files, 50)) throw new Error(`${found} of ${files} files are searchable`);
  if (existsSync(join(directory, '.git'))) throw new Error('a .git directory');
  return `whole, ${[...versions][0]} version, tags ${topic.tags.join()}`;
}
