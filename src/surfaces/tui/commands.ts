/** Commands of the terminal itself. Every other word after a slash is a command of `sylk`. */
export const terminalCommands: Record<string, string> = {
  help: 'keys and commands · /help why: what one does',
  run: 'let the team work: /run what you want · /run --from plan.yaml',
  needs: 'what waits for you, and its answers',
  runs: 'runs, their agents, and what each did',
  new: 'a new tab, a session of its own: /new NAME',
  tab: 'go to a tab: /tab 2',
  close: 'close this tab; its session stays',
  worker: 'who works in runs: /worker codex · /worker provider/model · /worker none',
  theme: 'colours: terminal, dark, light, none',
  copy: 'copy the last answer',
  edit: 'write in your editor',
  quit: 'leave; everything stays as it is',
};

export interface Line {
  /** A command of the terminal, a command of `sylk`, or words for the Guide. */
  kind: 'terminal' | 'command' | 'words';
  name: string;
  rest: string;
}

/** What was typed, read. `verbOf` knows the commands of `sylk`, and answers the longest one that words begin with. */
export function readLine(text: string, verbOf: (words: string[]) => string | undefined): Line {
  const said = text.trim();
  if (!said.startsWith('/')) return { kind: 'words', name: '', rest: said };
  const [word = ''] = said.slice(1).split(/\s/, 1);
  const rest = said.slice(1 + word.length).trim();
  if (word === 'exit') return { kind: 'terminal', name: 'quit', rest };
  const verb = verbOf(wordsOf(said.slice(1)));
  // `/run show` and `/runs waiting` are commands of sylk; `/run add a limit` is a task.
  const isLonger = verb?.includes(' ') ?? false;
  if (Object.hasOwn(terminalCommands, word) && !isLonger) return { kind: 'terminal', name: word, rest };
  if (verb === undefined) return { kind: 'words', name: '', rest: said };
  return { kind: 'command', name: verb, rest: said.slice(1) };
}

/** Words as a shell would split them: quotes hold some together. */
export function wordsOf(text: string): string[] {
  const found = text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g);
  return [...found].map(
    ([, double, single, bare]) => double?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '',
  );
}
