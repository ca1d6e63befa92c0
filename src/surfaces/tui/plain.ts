import { createInterface } from 'node:readline';
import { isApproval, isPlan, type Need } from './runs-view.ts';
import type { Terminal } from './terminal.ts';
import type { Item } from './view.ts';

/** Plain lines, one after another: for screen readers, terminals that can do no more, and scripts. */
export async function runPlain({
  terminal,
  say,
  draft,
  isPrompting,
  ended,
}: {
  terminal: Terminal;
  say(text: string): void;
  draft: string;
  isPrompting: boolean;
  /** Settles when the person leaves by a command. */
  ended: Promise<void>;
}): Promise<void> {
  const input = createInterface({
    input: process.stdin,
    output: isPrompting ? process.stdout : undefined,
    terminal: isPrompting && process.env.TERM !== 'dumb',
    prompt: '> ',
  });
  const prompt = () => {
    if (isPrompting) input.prompt();
  };
  prompt();
  if (draft !== '') input.write(draft);
  const idle = () => terminal.view().tabs.every(({ asking, queue }) => !asking && queue.length === 0);
  input.on('line', (line) => {
    if (line.trim() === '' || !terminal.submit(line)) prompt();
  });
  const closed = new Promise<void>((resolve) => input.on('close', resolve));
  await Promise.race([closed, ended]);
  // What came through a pipe is answered before the end.
  while (!idle()) await new Promise((next) => setTimeout(next, 50));
  input.close();
  say('');
}

/** Writes each new item of the view once. Call it after every change. */
export function plainWriter(terminal: () => Terminal, say: (text: string) => void, after: () => void) {
  const seen = new Set<Item>();
  /** What waits for the person is said once. */
  const told = new Set<string>();
  let progress = '';
  return () => {
    const { tabs, active, waiting } = terminal().view();
    const tab = tabs.find(({ id }) => id === active);
    const fresh = (tab?.items ?? []).filter((item) => !seen.has(item));
    for (const item of fresh) {
      seen.add(item);
      // The person's own line stands there already.
      if (item.kind !== 'told') say(plainText(item));
    }
    for (const need of waiting) {
      if (!told.has(need.id)) say(needText(need));
      told.add(need.id);
    }
    const now = tab?.asking?.progress ?? '';
    if (now !== '' && now !== progress && !/\d %$/.test(now)) say(now);
    progress = now;
    if (fresh.some(({ kind }) => kind !== 'told') && !tab?.asking) after();
  };
}

/** The question, and the lines that answer it. */
function needText(need: Need): string {
  const { run, id, node, question, options } = need;
  const lines = isPlan(need)
    ? [`/run approve ${run}`, `/run approve ${run} --reject "why"`]
    : isApproval(need)
      ? [`/approve ${id}`, `/approve ${id} --answer denied`]
      : [...options, '"your words"'].map((answer) => `/run answer ${run} --question ${id} ${answer}`);
  return [`Needs you${node ? ` (${node})` : ''}: ${question}`, ...lines.map((line) => `  ${line}`)].join(
    '\n',
  );
}

function plainText(item: Item): string {
  if (item.kind === 'failed') return [`Failed: ${item.text}`, ...(item.hint ? [item.hint] : [])].join('\n');
  return item.text;
}
