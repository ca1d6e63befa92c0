import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSkillEngine, filesystemSource } from '../src/sdk.ts';
import type { BenchOptions } from './run-named.ts';

const nouns =
  'invoice contract email patient cluster migration release dashboard spreadsheet diagram ticket schema'.split(
    ' ',
  );
const verbs =
  'extract review summarise convert validate deploy monitor translate merge audit plan visualise'.split(' ');

/** Skills as public collections have them: a few lines of front matter, a few kilobytes of text. */
function generate(root: string, count: number): void {
  let state = 42;
  const next = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % limit;
  };
  for (let at = 0; at < count; at++) {
    const verb = verbs[next(verbs.length)]!;
    const noun = nouns[next(nouns.length)]!;
    const name = `${verb}-${noun}-${at}`;
    const directory = join(root, `${noun}s`, name);
    mkdirSync(directory, { recursive: true });
    const words = Array.from({ length: 300 + next(500) }, () => nouns[next(nouns.length)]).join(' ');
    const more =
      at % 3 === 0
        ? 'metadata:\n  author: someone\n  version: "1.0"\n'
        : at % 7 === 0
          ? 'tags:\n  - a\n  - b\n'
          : '';
    const about = `${verb} ${noun} files number ${at}. Use when a person wants to ${verb} a ${noun} or asks about ${nouns[next(nouns.length)]}s.`;
    writeFileSync(
      join(directory, 'SKILL.md'),
      `---\nname: ${name}\ndescription: ${about}\n${more}---\n\n# ${verb}\n\n${words}\n`,
    );
  }
}

/** The middle of an odd number of runs. */
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds of processor time: other programs on the machine do not count. */
async function timed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function readAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) readAll(path);
    else if (statSync(path).isFile()) readFileSync(path);
  }
}

/** Scan and rank, each beside the bare work of the same run: reading the same files, and one pass over the texts. */
export default async function bench({ words }: BenchOptions): Promise<void> {
  for (const count of words.length > 0 ? words.map(Number) : [200, 2000]) {
    const root = mkdtempSync(join(tmpdir(), 'sylk-skills-bench-'));
    try {
      generate(root, count);
      const read: number[] = [];
      const scan: number[] = [];
      const again: number[] = [];
      for (let round = 0; round < 7; round++) {
        read.push(await timed(() => readAll(root)));
        const source = filesystemSource({ root });
        scan.push(await timed(() => source.list()));
        again.push(await timed(() => source.list()));
      }
      const engine = createSkillEngine({ source: filesystemSource({ root }) });
      const skills = await engine.listSkills();
      const first = await timed(() => engine.rank(skills, 'check the invoices for mistakes'));
      const rank: number[] = [];
      const pass: number[] = [];
      for (let round = 0; round < 21; round++) {
        rank.push(
          await timed(() =>
            engine.rank(
              skills,
              `please ${verbs[round % verbs.length]} these ${nouns[round % nouns.length]} files`,
            ),
          ),
        );
        pass.push(await timed(() => skills.filter((skill) => skill.description.includes('invoice'))));
      }
      const line = (what: string, ours: number, bare: number, than: string) =>
        console.log(
          `${String(count).padStart(6)} skills  ${what.padEnd(18)} ${ours.toFixed(2).padStart(9)} ms   ${than} ${bare.toFixed(2)} ms   ratio ${(ours / bare).toFixed(2)}`,
        );
      line('scan', median(scan), median(read), 'reading the files');
      line('scan again', median(again), median(read), 'reading the files');
      line('rank, first', first, median(pass), 'substring pass');
      line('rank', median(rank), median(pass), 'substring pass');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}
