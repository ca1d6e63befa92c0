import type { CallAnswer } from './calls.ts';
import type { Item } from './view.ts';

const runFlags = new Set(
  '--from --base --budget --concurrency --loops --model --agent --architect --plan-only'.split(' '),
);

/** What is no flag of a run is part of the task: "add a test that --version prints". */
export function taskWords(words: string[]): string[] {
  const flags: string[] = [];
  const task: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!runFlags.has(word.split('=', 1)[0] ?? '')) task.push(word);
    else if (word.includes('=') || word === '--plan-only') flags.push(word);
    else flags.push(word, words[++at] ?? '');
  }
  return task.length > 0 ? [...flags, '--task', task.join(' ')] : flags;
}

/** What a call answered, as data; nothing of it where it failed. */
export const outputOf = <Output>(said: CallAnswer): Partial<Output> & Output =>
  (said.kind === 'done' ? said.output : {}) as Partial<Output> & Output;

/** The plan stands above it already; how the run stands is shown below. */
export function shortened(said: CallAnswer, isBegun: boolean): CallAnswer {
  if (said.kind !== 'done' || said.operation !== 'start_run') return said;
  const { status } = outputOf<{ status: string }>(said);
  const waits = 'The plan waits for you: Ctrl-N, or say “looks good”, or what should be different.';
  const text = isBegun ? 'Begun. Ctrl-R shows who does what; say “stop” to stop it.' : waits;
  return status === 'proposed' ? { ...said, text } : said;
}

export const workerAdvice =
  'Say who shall work: /worker codex, /worker provider/model, or /worker script:FILE to try it without a key. /agents lists coding agents, /models keys. Then say it again.';

export const withNext = (said: CallAnswer, next: string): CallAnswer =>
  said.kind === 'done' ? { ...said, text: next } : said;

export interface Routed {
  session?: string;
  status?: string;
  level?: number;
  citations?: Array<{ n: number; snippet?: string }>;
}

const excerptLines = 4;

/** The lines that a source was found by, under the line that names it. */
export function withExcerpts(said: CallAnswer, { citations = [] }: Routed): CallAnswer {
  if (said.kind !== 'done' || citations.length === 0) return said;
  const lines = said.text.split('\n').flatMap((line) => {
    const number = /^\[(\d+)\] /.exec(line)?.[1];
    const snippet = citations.find(({ n }) => String(n) === number)?.snippet ?? '';
    const shown = snippet
      .split('\n')
      .filter((each) => each.trim() !== '' && !line.includes(each.trim()))
      .slice(0, excerptLines);
    return [line, ...shown.map((each) => `      > ${each}`)];
  });
  return { ...said, text: lines.join('\n') };
}

export function itemsOf(said: CallAnswer, markdown = false): Item[] {
  if (said.kind === 'asks') return [{ kind: 'note', text: said.text }];
  if (said.kind === 'failed')
    return [
      said.code === 'CANCELLED'
        ? { kind: 'note', text: 'Stopped.' }
        : { kind: 'failed', text: said.message, hint: said.hint },
    ];
  const notes: Item[] = said.notes.map((text) => ({ kind: 'note', text: `note: ${text}` }));
  return [...notes, { kind: 'said', text: said.text === '' ? 'Done.' : said.text, markdown }];
}
