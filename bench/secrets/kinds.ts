import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { seededRandom } from '../../tests/support/random-history.ts';

/** A credential as somebody would write it: the whole text, and the part that nobody may find afterwards. */
export interface Sample {
  kind: string;
  text: string;
  hidden: string;
}

interface Kind {
  kind: string;
  pattern: string;
  written: string;
}

/** Every kind of every table beside this file. To try further kinds, put another `.tsv` file here. */
export function readKinds(directory = import.meta.dirname): Kind[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.tsv'))
    .sort()
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [kind = '', pattern = '', written = '{}'] = line.split('\t');
      return { kind, pattern, written: written.replaceAll('\\n', '\n') };
    });
}

const signs = (set: string): string =>
  set.replace(/(.)-(.)/g, (_range, from: string, to: string) => {
    let all = '';
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) all += String.fromCharCode(code);
    return all;
  });

/** A value of a pattern of literals, classes and counts, such as `ghp_[A-Za-z0-9]{36}`. */
function makeValue(pattern: string, random: () => number): string {
  let value = '';
  for (const [, set, escaped, literal, from, to] of pattern.matchAll(
    /(?:\[([^\]]+)\]|\\(.)|(.))(?:\{(\d+)(?:,(\d+))?\})?/g,
  )) {
    const least = Number(from ?? 1);
    const length = least + Math.floor(random() * (Number(to ?? least) - least + 1));
    const choice = set === undefined ? (escaped ?? literal ?? '') : signs(set);
    for (let at = 0; at < length; at++) value += choice[Math.floor(random() * choice.length)];
  }
  return value;
}

/** `each` samples of every kind, the same for the same seed. */
export function makeSamples(seed: number, each: number, kinds = readKinds()): Sample[] {
  const random = seededRandom(seed);
  return kinds.flatMap(({ kind, pattern, written }) =>
    Array.from({ length: each }, () => {
      const hidden = makeValue(pattern, random);
      return { kind, hidden, text: written.replace('{}', () => hidden) };
    }),
  );
}

const writtenSchema = z.array(
  z.object({ set: z.string(), kind: z.string(), pattern: z.string() }).catchall(z.string()),
);

/** Kinds that were written out for each place: how often each is tried, in the order of the file. */
export function makeWritten(seed: number, each: number): Array<Sample & { place: string }> {
  const random = seededRandom(seed);
  const file = join(import.meta.dirname, 'written-places.json');
  return writtenSchema
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .flatMap(({ set, kind, pattern, ...texts }) =>
      Object.entries(texts).flatMap(([place, text]) =>
        Array.from({ length: each }, () => {
          const hidden = makeValue(pattern, random);
          return { kind, place: `${place} (${set} set)`, hidden, text: text.replace('{}', () => hidden) };
        }),
      ),
    );
}

const isBare = ({ text, hidden }: Sample): boolean => text === hidden;

/** Where people write credentials. A text that brings its own form is put there as it is. */
export const places: Record<string, (sample: Sample) => string> = {
  code: (sample) =>
    isBare(sample)
      ? `export const client = connect("${sample.text}", { retry: 3 });`
      : `function run() {\n  // see below\n  ${sample.text}\n}`,
  yaml: (sample) => (isBare(sample) ? `service:\n  value: ${sample.text}\n  port: 80` : `${sample.text}\n`),
  properties: (sample) =>
    isBare(sample) ? `a.b=1\napp.value=${sample.text}\nc=2` : `a.b=1\n${sample.text}\nc=2`,
  header: (sample) =>
    isBare(sample) ? `GET / HTTP/1.1\nX-Custom: ${sample.text}\n` : `${sample.text}\nHost: a.example`,
  url: (sample) =>
    isBare(sample) ? `https://a.example/hook?x=${sample.text}&y=1` : `see ${sample.text} there`,
  prose: (sample) => `Yesterday somebody wrote ${sample.text} into the wiki.`,
  commit: (sample) =>
    `fix(deploy): rotate what leaked\n\nIt was:\n${sample.text}\n\nSigned-off-by: A <a@example.org>`,
  entry: (sample) => `We decided to store it in the vault. Old: ${sample.text}`,
};
