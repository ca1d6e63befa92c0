import { writeFileSync } from 'node:fs';
import { openEngine } from '../src/base/embedding/engine.ts';
import { normalise, similarity, toHalf } from '../src/base/embedding/index.ts';
import { weightedSum } from '../src/base/embedding/static-embedder.ts';
import { findWeights, openTensors, readVocabulary } from '../src/base/embedding/weights.ts';
import { createWordPiece } from '../src/base/embedding/word-piece.ts';
import { createGit } from '../src/base/git/index.ts';
import { fitRidge } from './recall/ridge.ts';
import type { BenchOptions } from './run-named.ts';

const penalty = 1;
const mostTexts = 6000;
const linesOfText = 25;

/**
 * Fits the matrix of the static tier on commit subjects and pieces of files of the repositories given by `--from GITDIR`,
 * prints how it does on a tenth of the texts that it did not see, and with `write PATH` writes it.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const texts = shuffled((await Promise.all(from.map(textsOf))).flat()).slice(0, mostTexts);
  const engine = await openEngine({ runtime: 'onnx', threads: 2 });
  const files = findWeights();
  const tokenizer = createWordPiece(readVocabulary(files.tokenizer));
  const tensors = openTensors(files.weights);
  const rows = new Map<number, Float32Array>();
  const row = (id: number): Float32Array => {
    const known = rows.get(id) ?? normalise(tensors.rows('embeddings.word_embeddings.weight', id, 1));
    rows.set(id, known);
    return known;
  };
  const inputs = texts.map((text) => weightedSum(tokenizer.pieces(text, 256), row));
  const targets: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += 128) {
    const flat = await engine.embed(texts.slice(at, at + 128));
    for (let start = 0; start < flat.length; start += 384) targets.push(flat.slice(start, start + 384));
  }
  tensors.close();
  const seen = Math.floor(texts.length * 0.9);
  const tried = fitRidge(inputs.slice(0, seen), targets.slice(0, seen), penalty);
  const unseen = inputs.slice(seen).map((input) => apply(input, tried));
  const gold = targets.slice(seen);
  let likeness = 0;
  let first = 0;
  for (const [at, vector] of unseen.entries()) {
    likeness += similarity(vector, gold[at]!);
    const scores = gold.map((other) => similarity(vector, other));
    if (scores.indexOf(Math.max(...scores)) === at) first++;
  }
  console.log(
    `${texts.length} texts; on ${unseen.length} unseen: cosine ${(likeness / unseen.length).toFixed(3)}, itself nearest ${(first / unseen.length).toFixed(3)}`,
  );
  const [verb, path] = words;
  if (verb !== 'write' || !path) return;
  const { offset, matrix } = fitRidge(inputs, targets, penalty);
  writeFileSync(path, Buffer.from(toHalf(Float32Array.from([...offset, ...matrix])).buffer));
}

function apply(
  input: Float32Array,
  { offset, matrix }: { offset: Float32Array; matrix: Float32Array },
): Float32Array {
  const mapped = Float32Array.from(offset);
  for (const [row, value] of input.entries())
    for (let column = 0; column < mapped.length; column++)
      mapped[column]! += value * matrix[row * mapped.length + column]!;
  return normalise(mapped);
}

async function textsOf(gitDirectory: string): Promise<string[]> {
  const git = createGit(gitDirectory);
  const subjects = (await git.text(['log', '--no-merges', '--format=%s', '-n', '1500'])).split('\n');
  const paths = await git.list(['ls-tree', '-r', '-z', '--name-only', 'HEAD']);
  const texts = subjects.filter((subject) => subject.length > 12);
  for (const path of paths.filter((each) => /\.(?:[jt]s|py|go|rs|md|rst|toml)$/.test(each)).slice(0, 400)) {
    const lines = (await git.text(['show', `HEAD:${path}`])).split('\n');
    for (let at = 0; at < Math.min(lines.length, 600); at += linesOfText * 2)
      texts.push(
        `${path}\n${lines
          .slice(at, at + linesOfText)
          .join('\n')
          .slice(0, 900)}`,
      );
  }
  return texts;
}

function shuffled<T>(items: T[]): T[] {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return items
    .map((item) => ({ item, key: random() }))
    .sort((left, right) => left.key - right.key)
    .map(({ item }) => item);
}
