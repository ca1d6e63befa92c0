import type { App } from '../../app.ts';
import { system } from '../../base/files/index.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';
import { getApproval } from '../../operations/approvals.ts';

/** What a person typed at a question; `begins` where they named the first words that are always allowed. */
export interface Answered {
  answer: 'approved' | 'denied';
  always?: boolean | undefined;
  begins?: string | undefined;
}

export interface Questions {
  /** Asks for an approval at the terminal, one after another. */
  ask(approval: string): void;
  /** Does something now, or after the question that is open: what is asked stays in sight. */
  after(work: () => void): void;
}

const pollMs = 1000;

function readReply(typed: string, canStand: boolean): Answered | undefined {
  const [, letter = '', begins] = /^(y|yes|n|no|a|always)(?:\s+(.+))?$/i.exec(typed) ?? [];
  const first = letter.toLowerCase()[0];
  if (first === 'a' && canStand) return { answer: 'approved', always: true, begins };
  if (begins !== undefined) return undefined;
  if (first === 'y') return { answer: 'approved' };
  return first === 'n' ? { answer: 'denied' } : undefined;
}

/** Asks the person about what an agent waits for. An answer from elsewhere, such as the dashboard, closes the question. */
export function terminalQuestions(
  app: App,
  {
    say,
    decide,
    signal,
  }: {
    say(text: string): void;
    /** Resolves to what is wrong with the answer, where something is. */
    decide(approval: string, answer: Answered): Promise<string | undefined>;
    signal: AbortSignal;
  },
): Questions {
  let last: Promise<void> = Promise.resolve();
  let open = 0;
  let held: Array<() => void> = [];
  const isPending = async (id: string) => (await getApproval(app, id)).status === 'pending';

  const askOne = async (id: string): Promise<void> => {
    const { targets, reason, always } = await getApproval(app, id);
    const what = targets.map(({ target }) => target.replaceAll('\n', '\n    ')).join('\n  ');
    const about = reason.type === 'workspace_escape' ? reason.path : `${reason.title}: ${reason.summary}`;
    const choices =
      always.length > 0
        ? 'Allow it? y once, n not, a always in this repository (a WORDS: what begins with them)'
        : 'Allow it once? y or n';
    const question = `\n? ${sanitizeTerminalText(about)}\n  ${sanitizeTerminalText(what)}\n`;
    for (let prompt = question; !signal.aborted && (await isPending(id)); prompt = '') {
      const answered = new AbortController();
      const timer = setInterval(async () => {
        if (!(await isPending(id).catch(() => false))) answered.abort();
      }, pollMs);
      const typed = await system
        .readTerminalLine(`${prompt}  ${choices}: `, AbortSignal.any([signal, answered.signal]))
        .finally(() => clearInterval(timer));
      if (typed === undefined) return say(answered.signal.aborted ? '\n  Answered elsewhere.\n' : '');
      const reply = readReply(typed, always.length > 0);
      const problem = reply && (await decide(id, reply));
      if (reply && problem === undefined) return;
      if (problem !== undefined) say(`  ${sanitizeTerminalText(problem)}\n`);
    }
  };
  const close = () => {
    open -= 1;
    if (open > 0) return;
    const due = held;
    held = [];
    for (const work of due) work();
  };
  return {
    ask: (approval) => {
      open += 1;
      last = last
        .then(() => askOne(approval))
        // The row stays: another surface can answer it.
        .catch(() => undefined)
        .finally(close);
    },
    after: (work) => {
      if (open > 0) held.push(work);
      else work();
    },
  };
}
