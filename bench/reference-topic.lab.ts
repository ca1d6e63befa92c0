import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { matchAny, searchWords } from '../src/base/text/index.ts';
import { openReferences } from '../src/stores/references/index.ts';
import { gitBackend } from '../tests/support/local-forge.ts';
import { startSite } from '../tests/support/local-site.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * A topic from a large documentation repository, committed from the directory given by `--from` and served over HTTP, and questions with
 * known files about the manuals of docker/docs. Weights were chosen by reference-questions.json; reference-questions.held.json
 * was written before them and judges. BM25 over whole files stands beside.
 */
export default async function referenceTopic({ from }: BenchOptions): Promise<void> {
  const [source] = from;
  if (!source) return console.log('Give a directory of documents with --from PATH.');
  const base = mkdtempSync(join(tmpdir(), 'sylk-topic-'));
  const forge = join(base, 'forge', 'docker');
  mkdirSync(forge, { recursive: true });
  const bare = join(forge, 'docs.git');
  const identity = ['-c', 'user.name=lab', '-c', 'user.email=lab@example.org'];
  for (const args of [
    ['init', '-q', '--bare', '-b', 'main', bare],
    [`--git-dir=${bare}`, `--work-tree=${source}`, 'add', '-A'],
    [...identity, `--git-dir=${bare}`, `--work-tree=${source}`, 'commit', '-q', '-m', 'documents'],
    [`--git-dir=${bare}`, 'config', 'uploadpack.allowFilter', 'true'],
  ])
    spawnSync('git', args, { stdio: 'inherit' });
  const server = await startSite(gitBackend(join(base, 'forge')));
  const store = await openReferences({
    root: join(base, 'references'),
    clock: systemClock,
    log: silentLog,
    outside: { gh: '', allowHosts: [server.host] },
    budget: { maxFiles: 20_000, maxBytes: 1e9, maxFileBytes: 1e6, timeoutMs: 900_000 },
  });
  try {
    const started = performance.now();
    const report = await store.create({
      draft: {
        title: 'Docker documentation',
        body: 'Manuals of Docker.',
        sources: [{ type: 'git', url: `${server.url}/docker/docs.git` }],
        tags: [],
        max_age_days: 30,
        trust_score: 8,
        kind: 'documentation',
      },
      author: { agent: 'lab', model: '' },
      answered: false,
      permit: async ({ summary }) => {
        console.log(`asked: ${summary}`);
        return { done: async () => {}, release: async () => {} };
      },
      progress: ({ done, total, message }) =>
        process.stderr.write(`\r${message} ${done}${total ? `/${total}` : ''}   `),
    });
    console.log(
      `\n${report.file_count} files, ${report.chunk_count} chunks in ${Math.round((performance.now() - started) / 1000)} s; ${report.problems.length} problems`,
    );
    const { directory, topic } = await store.show(report.topic_id);
    for (const set of sets) await judge(store, directory, topic.files, set);
    const began = performance.now();
    const embedded = await store.embedWaiting({ most: report.file_count });
    const took = Math.round((performance.now() - began) / 1000);
    console.log(
      `the model read what ${embedded} files are about in ${took} s; passages still have quick vectors`,
    );
    for (const set of sets) await judge(store, directory, topic.files, set);
  } finally {
    await store.close();
    server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

const sets = ['reference-questions.json', 'reference-questions.held.json'];

async function judge(
  store: Awaited<ReturnType<typeof openReferences>>,
  directory: string,
  files: string[],
  set: string,
): Promise<void> {
  const questions = JSON.parse(readFileSync(new URL(`./${set}`, import.meta.url), 'utf8')) as Array<
    [string, string]
  >;
  const plain = wholeFiles(directory, files);
  let ours = 0;
  let baseline = 0;
  let asked = 0;
  for (const [question, gold] of questions) {
    if (!files.some((file) => file.endsWith(gold))) continue;
    asked++;
    const hits = await store.search({ question, limit: 30 });
    const top = [...new Set(hits.map(({ file }) => file))].slice(0, 5);
    const found = top.some((file) => file.endsWith(gold));
    const bm25 = plain(question).some((file) => file.endsWith(gold));
    ours += Number(found);
    baseline += Number(bm25);
    if (!found) console.log(`  missed${bm25 ? ' (BM25 found it)' : ''}: ${question} → ${gold}`);
  }
  console.log(
    `${set}: recall@5 over ${asked} questions: reference_search ${(ours / asked).toFixed(3)}, BM25 over whole files ${(baseline / asked).toFixed(3)}`,
  );
}

/** BM25 with k1 1.2 and b 0.75 over split, stemmed words: what SQLite's ranking is. */
function wholeFiles(directory: string, files: string[]): (question: string) => string[] {
  const sqlite = openSqlite(':memory:');
  sqlite.exec("CREATE VIRTUAL TABLE words USING fts5 (body, tokenize='unicode61')");
  sqlite.write(() => {
    for (const [at, file] of files.entries())
      sqlite.run(
        'INSERT INTO words (rowid, body) VALUES (?, ?)',
        at + 1,
        searchWords(`${file} ${readFileSync(join(directory, file), 'utf8')}`).join(' '),
      );
  });
  return (question) =>
    sqlite
      .all<{ rowid: number }>(
        'SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 5',
        matchAny(searchWords(question)) ?? '""',
      )
      .map(({ rowid }) => files[rowid - 1]!);
}
