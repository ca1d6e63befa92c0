import type { App } from '../../app.ts';
import { system } from '../../base/files/index.ts';
import { sanitizeTerminalText } from '../../base/terminal-text.ts';

export interface Questions {
  /** Asks for an approval at the terminal, one after another. */
  ask(approval: string): void;
  /** Does something now, or after the question that is open: what is asked stays in sight. */
  after(work: () => void): void;
}

const pollMs = 1000;

/** Asks the person about what an agent waits for. An answer from elsewhere, such as the dashboard, closes the question. */
export function terminalQuestions(
  app: App,
  {
    say,
    decide,
    signal,
  }: {
    say(text: string): void;
    decide(approval: string, isAllowed: boolean): Promise<void>;
    signal: AbortSignal;
  },
): Questions {
  let last: Promise<void> = Promise.resolve();
  let open = 0;
  let held: Array<() => void> = [];
  const isPending = async (id: string) => (await (await app.approvals()).get(id)).status === 'pending';

  const askOne = async (id: string): Promise<void> => {
    const { targets, reason } = await (await app.approvals()).get(id);
    const what = targets.map(({ target }) => target.replaceAll('\n', '\n    ')).join('\n  ');
    const about = reason.type === 'workspace_escape' ? reason.path : `${reason.title}: ${reason.summary}`;
    const question = `\n? ${sanitizeTerminalText(about)}\n  ${sanitizeTerminalText(what)}\n`;
    for (let prompt = question; !signal.aborted && (await isPending(id)); prompt = '') {
      const answered = new AbortController();
      const timer = setInterval(async () => {
        if (!(await isPending(id).catch(() => false))) answered.abort();
      }, pollMs);
      const typed = await system
        .readTerminalLine(`${prompt}  Allow it once? y or n: `, AbortSignal.any([signal, answered.signal]))
        .finally(() => clearInterval(timer));
      const isYes = /^y(es)?$/i.test(typed ?? '');
      if (typed === undefined) return say(answered.signal.aborted ? '\n  Answered elsewhere.\n' : '');
      if (isYes || /^no?$/i.test(typed)) return decide(id, isYes);
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
