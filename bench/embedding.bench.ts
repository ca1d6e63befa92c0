import { spawnSync } from 'node:child_process';
import { openEngine } from '../src/base/embedding/engine.ts';
import { createModelEmbedder } from '../src/base/embedding/index.ts';
import type { BenchOptions } from './run-named.ts';

/** P6: texts a second through the product's embedder against the same runtime called directly, interleaved. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const sizes = words.length > 0 ? words.map(Number) : [64, 256, 1024];
  const engine = await openEngine({ runtime: 'onnx', threads: 1 });
  const embedder = createModelEmbedder({ threads: 1 });
  await embedder.embed(['warm']);
  await engine.embed(['warm']);
  for (const size of sizes) {
    const texts = Array.from({ length: size }, (_, at) => textOf(at));
    const ratios: number[] = [];
    let bare = 0;
    let ours = 0;
    for (let round = 0; round < 5; round++) {
      let started = performance.now();
      await engine.embed(texts);
      bare = performance.now() - started;
      started = performance.now();
      await embedder.embed(texts);
      ours = performance.now() - started;
      ratios.push(bare / ours);
    }
    const ratio = ratios.sort((left, right) => left - right)[2]!;
    console.log(
      `${size} texts: bare ${(bare / size).toFixed(2)} ms each, through the embedder ${(ours / size).toFixed(2)} ms each; median share of the bare throughput ${(100 * ratio).toFixed(0)} %`,
    );
  }
  const rss = (pid: number) =>
    spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  console.log(`this process holds ${rss(process.pid)} KiB; after release the model's process is gone`);
  await embedder.release();
}

const lines = [
  'export function parseCookies(header) { return header.split(";").map((part) => part.trim()); }',
  'fix: close the socket when the server answers before the body was sent',
  'class ConnectionPool keeps idle connections and hands them out again, oldest first, until they expire',
  'def resolve_redirects(self, response, request): yield from the chain of responses up to the limit',
];
const textOf = (at: number): string =>
  Array.from({ length: 1 + (at % 6) }, (_, part) => lines[(at + part) % lines.length]).join('\n');
