import { basename } from 'node:path';
import { randomNumbers } from './random.ts';
import type { BenchOptions } from './run-named.ts';
import { type Claim, showCalibration, writeConfidence } from './truth/calibration.ts';
import { judgedBy, measureCallers } from './truth/callers.ts';
import { constants, definitions, subjectsHere, tagsOf } from './truth/code-questions.ts';
import { measureCommands } from './truth/commands.ts';
import { editTree } from './truth/edits.ts';
import { changedLately, reverted, whoKnows } from './truth/git-questions.ts';
import { openProduct, type Product } from './truth/product.ts';
import { linesOf } from './truth/programs.ts';
import { kinds, type Question } from './truth/question.ts';

const edits = 20;

interface Asked {
  status: string;
  answer: string;
  notes: string[];
  warnings?: string[];
  citations: Array<{ ref: string; place: string; reason: string; snippet?: string; state: string }>;
}

/**
 * Questions made by program from truth that is not ours, and the answers of the product beside those of rg and git:
 * `truth [callers|calibration|questions] [edits] [write] [detail] --from REPOSITORY… --cases N --seed N`. The language service of
 * TypeScript judges callers, pyright those of Python where it is on PATH, git and universal-ctags the rest. `edits` asks after 20 edits, each of which was indexed;
 * `plain` leaves compilers out; `calibration` asks for callers twice, with compilers and without, and prints what
 * was said beside what was right in ten bins by language; `commands` holds test commands against the workflows of the repositories; `write` stores the measured confidence of links for the product.
 */
export default async function truth({ from, words, cases, seed }: BenchOptions): Promise<void> {
  if (words.includes('commands')) return measureCommands(from, Number(cases ?? 60));
  const count = Number(cases ?? 20);
  const chosen = Number(seed ?? 1);
  const wants = (word: string) =>
    words.includes(word) || !words.some((one) => ['callers', 'calibration', 'questions'].includes(one));
  const claims: Claim[] = [];
  const totals = new Map<string, Score>();
  const isCalibration = words.includes('calibration');
  const ways = isCalibration ? [true, false] : [!words.includes('plain')];
  for (const repository of from)
    for (const compilers of ways) {
      const product = await openProduct(repository, { compilers });
      console.log(`\n${basename(repository)}${compilers ? '' : ', without compilers'}`);
      try {
        if (words.includes('edits')) await editTree(product, edits, chosen);
        if (wants('callers') || isCalibration)
          claims.push(...(await callers(product, count * 2, chosen, words.includes('detail'))));
        if (wants('questions')) await questions(product, count, chosen, totals, words.includes('detail'));
      } finally {
        await product.close();
      }
    }
  if (totals.size > 0) {
    console.log('\nall repositories');
    for (const kind of kinds) showScore(kind, totals.get(kind));
  }
  if (words.includes('write')) writeConfidence(claims);
  for (const language of new Set(claims.map((one) => one.language)))
    show(
      `confidence of links, ${language}`,
      claims.filter((one) => one.language === language),
    );
  if (isCalibration) show('confidence of links, all languages', claims);

  function show(title: string, own: Claim[]): void {
    console.log(`\n${title}`);
    showCalibration(own);
    bySource(own);
  }
}

const judges = [
  [['typescript-judge.ts'], 'the language service of TypeScript'],
  [['server-judge.ts', 'python'], 'references of pyright'],
  [['server-judge.ts', 'go'], 'references of gopls'],
  [['server-judge.ts', 'c'], 'references of clangd'],
] as const;

async function callers(product: Product, count: number, seed: number, detail: boolean): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const [judge, label] of judges) {
    const judged = judgedBy(judge, product.root, count, seed);
    if (judged.length > 0)
      claims.push(...(await measureCallers(product, judged, `judged by ${label}`, detail)));
  }
  return claims;
}

function bySource(claims: Claim[]): void {
  for (const source of [...new Set(claims.map((one) => one.source))].sort()) {
    const own = claims.filter((one) => one.source === source);
    const right = own.filter((one) => one.right).length;
    console.log(`    ${source.padEnd(16)} ${(right / own.length).toFixed(3)} right of ${own.length}`);
  }
}

interface Score {
  n: number;
  first: number;
  five: number;
  byHand: number;
}

async function questions(
  product: Product,
  count: number,
  seed: number,
  totals: Map<string, Score>,
  detail: boolean,
): Promise<void> {
  const { root } = product;
  const random = randomNumbers(seed);
  const tags = tagsOf(root);
  const all: Question[] = [
    ...definitions(tags, count, random),
    ...constants(root, count, random),
    ...changedLately(root, count),
    ...whoKnows(root, count),
    ...reverted(root, count),
    ...subjectsHere(root, tags, count, random),
  ];
  const own = new Map<string, Score>();
  for (const question of all) {
    const reply = await product
      .call<Asked>('ask', { question: question.text })
      .catch((error: Error) => error);
    const rank = reply instanceof Error ? -1 : rankOf(question, reply);
    const [line = ''] = linesOf(root, question.byHand.command, question.byHand.args);
    const isRightByHand = question.byHand.isRight(line);
    for (const table of [own, totals]) {
      const score = table.get(question.kind) ?? { n: 0, first: 0, five: 0, byHand: 0 };
      table.set(question.kind, score);
      score.n++;
      score.first += Number(rank === 0);
      score.five += Number(rank >= 0 && rank < 5);
      score.byHand += Number(isRightByHand);
    }
    if (detail && rank !== 0)
      console.log(
        `      ${question.kind}: ${question.text} → ${reply instanceof Error ? reply.message : shortly(reply)}; right: ${question.gold} (${rank})`,
      );
  }
  for (const kind of kinds) showScore(kind, own.get(kind));
}

/** Where the right citation stands; for absent and present subjects 0 where the answer is right about that. */
function rankOf(question: Question, reply: Asked): number {
  if (question.kind === 'absent') return saysNothingHere(reply) ? 0 : -1;
  if (question.kind === 'present') return saysNothingHere(reply) ? -1 : 0;
  return reply.citations.findIndex(({ ref, place, reason, snippet = '', state }) =>
    question.isRight({ ref, place, text: `${reason}\n${snippet}\n${state}` }),
  );
}

const saysNothingHere = ({ status, answer, notes, warnings = [] }: Asked): boolean =>
  status === 'no_matches' ||
  /may not exist here|nothing here|no (?:file|result) contains|nothing (?:in|about)/i.test(
    [answer.slice(0, 400), ...notes, ...warnings].join('\n'),
  );

const shortly = ({ citations: [first], status, notes }: Asked): string =>
  `${first ? `${first.place} ${first.reason.slice(0, 80)}` : status} ${notes[0] ?? ''}`;

function showScore(kind: string, score: Score | undefined): void {
  if (!score) return;
  const share = (part: number) => (part / score.n).toFixed(2);
  const beside = kind === 'absent' || kind === 'present' ? '' : `  rg/git first ${share(score.byHand)}`;
  console.log(
    `  ${kind.padEnd(16)} ${String(score.n).padStart(4)} questions  first ${share(score.first)}  in five ${share(score.five)}${beside}`,
  );
}
