import type { CallEvent } from '../../operations/operation.ts';
import { earlierSteps } from '../shared/conversation.ts';
import {
  itemsOf,
  outputOf,
  type Routed,
  shortened,
  taskWords,
  withExcerpts,
  withNext,
  workerAdvice,
} from './answers.ts';
import type { CallAnswer, CallRequest, Calls } from './calls.ts';
import { type Line, readLine, wordsOf } from './commands.ts';
import { firstStart, welcome, workerInput, workerProblem } from './first-start.ts';
import type { KeptFile } from './kept.ts';
import { createTeam } from './team.ts';
import { activeTab, emptyView, fold, type Happened, type Item, type Question, type View } from './view.ts';

export interface TerminalOptions {
  calls: Calls;
  kept: KeptFile;
  root: string;
  /** The longest command of `sylk` that words begin with. */
  verbOf: (words: string[]) => string | undefined;
  shellCommands?: string[];
  /** Called after every change of the view. */
  onChange(): void;
  /** Commands that only the screen can carry out: quit, help, copy, edit, theme, needs, runs. */
  onCommand(name: string, rest: string): void;
}

export type Terminal = ReturnType<typeof createTerminal>;
const main = 'main';
const mostKept = 200_000;
const mostCharacters = 20_000;

/** What a person types becomes calls, and what happens becomes the view. Knows no screen. */
export function createTerminal({
  calls,
  kept,
  root,
  verbOf,
  shellCommands = [],
  onChange,
  onCommand,
}: TerminalOptions) {
  let view: View = emptyView(root);
  const running = new Map<string, AbortController>();
  /** Said before there was a session to keep it in. */
  let unkept: Array<{ tab: string; told: string; said: string }> = [];
  const happen = (happened: Happened) => {
    view = fold(view, happened);
    onChange();
  };
  const tabOf = (id: string) => view.tabs.find((tab) => tab.id === id);
  const show = (tab: string, ...items: Item[]) => happen({ type: 'shown', tab, items });
  /** The tab in which each run was begun. */
  const homes = new Map<string, string>();
  const team = createTeam({
    calls,
    happen,
    itemsOf,
    show: (run, ...items) => show(tabOf(homes.get(run) ?? '')?.id ?? view.active, ...items),
  });
  const note = (text: string) => show(view.active, { kind: 'note', text });

  /** Brings back the tabs, what was said in them, and what was not answered. */
  async function open(): Promise<void> {
    const { tabs, active } = kept.kept();
    const known = tabs.some(({ id }) => id === main)
      ? tabs
      : [{ id: main, session: undefined, title: 'Guide', unanswered: [] as string[] }, ...tabs];
    for (const { id, session, title } of known)
      happen({ type: 'opened', tab: id, title: title || 'Guide', session });
    happen({ type: 'switched', tab: active || main });
    const isFirst = kept.kept().choices['worker'] === undefined;
    for (const { id, session, unanswered } of known) {
      const lost: Item[] = unanswered.flatMap((text) => [
        { kind: 'told', text },
        { kind: 'note', text: 'Not answered: the terminal ended. Up brings it back.' },
      ]);
      for (const text of unanswered) settle(id, text);
      happen({
        type: 'loaded',
        tab: id,
        items: [
          ...(isFirst && id === main ? [{ kind: 'note' as const, text: welcome }] : []),
          ...(session ? await earlier(session) : []),
          ...lost,
        ],
      });
    }
    team.refresh();
    if (isFirst) await greet();
  }

  async function greet(): Promise<void> {
    const { text, options } = await firstStart(calls);
    if (kept.kept().choices['worker'] !== undefined) return;
    if (options.length < 2) {
      note(text);
      kept.write({ type: 'chosen', name: 'worker', value: 'none' });
    } else ask(view.active, text, { kind: 'worker', line: '', options });
  }

  const ask = (tab: string, text: string, question: Question) =>
    happen({ type: 'asked', tab, text, question });

  async function earlier(session: string): Promise<Item[]> {
    const items: Item[] = [];
    for await (const { kind, text } of earlierSteps(read, session))
      items.push(kind === 'told' ? { kind: 'told', text } : { kind: 'said', text, markdown: false });
    return items;
  }

  /** The output of a read; nothing where there is nothing yet. */
  async function read(operation: string, input: object): Promise<unknown> {
    const said = await calls.call({ operation, input });
    return said.kind === 'done' ? said.output : { steps: [] };
  }

  /** Returns false where the text was not taken: it stays with the person. */
  function submit(text: string): boolean {
    const tab = activeTab(view);
    if (!tab || text.trim() === '') return true;
    if (text.length > mostCharacters && !tab.question) {
      const many = text.length.toLocaleString('en');
      note(
        `Not sent: it has ${many} characters, and a message may have ${mostCharacters.toLocaleString('en')}.`,
      );
      return false;
    }
    kept.write({ type: 'told', tab: tab.id, text });
    if (tab.question) {
      happen({ type: 'decided', tab: tab.id });
      show(tab.id, { kind: 'told', text });
      settle(tab.id, text);
      decide(tab.id, tab.question, text.trim());
      return true;
    }
    const line = readLine(text, verbOf);
    const shell = shellCommands.find(
      (name) => line.kind === 'words' && `${text.trim()} `.startsWith(`/${name} `),
    );
    if (shell !== undefined) {
      settle(tab.id, text);
      note(`${text.trim().slice(1)} is for a shell: type sylk ${text.trim().slice(1)} there.`);
      return true;
    }
    const isInstant = line.kind === 'terminal' && line.name !== 'run';
    if (isInstant || carriesOut(line)) {
      settle(tab.id, text);
      if (isInstant) command(tab.id, line);
      else carryOut(tab.id, text, line);
      return true;
    }
    happen({ type: 'told', tab: tab.id, text });
    if (!tab.asking) void answer(tab.id, text, line);
    return true;
  }

  const settle = (tab: string, text: string) => kept.write({ type: 'settled', tab, text });

  async function answer(id: string, text: string, line: Line, isConfirmed = false): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const session = tabOf(id)?.session;
    const options = {
      signal: controller.signal,
      onEvent: (event: CallEvent) =>
        event.type === 'run' ? team.onEvent(event) : happen({ type: 'event', tab: id, event }),
    };
    // The first tab is where the person is: their current session, which is theirs to switch.
    const own = id === main ? undefined : session;
    await choosing;
    const nobody = line.kind === 'terminal' ? await nobodyWorks(line.rest) : undefined;
    let said = nobody ?? (await calls.call(requestOf(line, own, isConfirmed), options));
    // A session that nobody used for long was suspended meanwhile.
    if (own !== undefined && said.kind === 'failed' && said.code === 'INVALID_OPERATION') {
      await calls.call({ operation: 'update_session', input: { id: own, change: 'resume' } });
      said = await calls.call(requestOf(line, own, isConfirmed), options);
    }
    const { status } = outputOf<{ status?: string }>(said);
    if (line.kind === 'words' && status === 'needs_agents' && workerName() !== 'none')
      said = await calls.call({ operation: 'start_run', input: { task: text, ...planning() } }, options);
    else if (line.kind === 'words' && status === 'needs_agents') said = withNext(said, workerAdvice);
    running.delete(id);
    const isBegun = wordsOf(line.rest).includes('--yes');
    planned(id, said, isBegun);
    if (said.kind === 'asks')
      ask(id, `${said.text}\nContinue? y or n`, { kind: 'consent', line: text, options: ['y', 'n'] });
    else finish(id, text, said, { isRouted: line.kind === 'words', isBegun });
    settle(id, text);
    team.refresh();
    next(id);
  }

  function requestOf({ kind, rest }: Line, session: string | undefined, isConfirmed: boolean): CallRequest {
    if (kind === 'words') return { operation: 'route', input: { input: rest, session } };
    if (kind === 'command') return { words: wordsOf(rest), isConfirmed };
    const words = taskWords(wordsOf(rest).filter((word) => word !== '--yes'));
    const isNamed = words.some((word) => /^--(?:agent|model)(?:=|$)/.test(word));
    return { words: ['run', ...words], input: isNamed ? { plan_only: true } : planning() };
  }

  /** A plan that nobody could carry out is refused before it is made. */
  async function nobodyWorks(rest: string): Promise<CallAnswer | undefined> {
    if (workerName() !== 'none' || /(?:^|\s)--(?:agent|model)\b/.test(rest)) return undefined;
    const models = await calls.call({ operation: 'list_models' });
    const { roles = [] } = outputOf<{ roles: Array<{ role: string; model: string }> }>(models);
    if (roles.some(({ role, model }) => role === 'engineer' && model !== '')) return undefined;
    return {
      kind: 'failed',
      code: 'UNAVAILABLE',
      message: 'Nobody works in your runs yet.',
      hint: workerAdvice,
    };
  }

  /** A plan is always shown first; the person approves it. */
  const planning = () => ({ plan_only: true, ...workerInput(workerName()) });

  /** A plan that was made here is shown here, and begun at once where the person said so. */
  function planned(id: string, said: CallAnswer, isApproved: boolean): void {
    if (said.kind !== 'done' || said.operation !== 'start_run') return;
    const { run } = outputOf<{ run: string }>(said);
    homes.set(run, id);
    team.watch(run);
    if (isApproved) team.begin({ operation: 'approve_run', input: { run } }, run);
  }

  /** Carried out beside the conversation: it takes as long as the run. */
  const carriesOut = ({ kind, name }: Line): boolean =>
    kind === 'command' && ['run resume', 'run approve', 'run answer', 'run watch'].includes(name);

  function carryOut(id: string, text: string, { rest }: Line): void {
    const words = wordsOf(rest);
    const run = words[2] ?? 'newest';
    homes.set(run, id);
    show(id, { kind: 'told', text });
    team.begin({ words }, run);
  }

  function finish(
    id: string,
    text: string,
    said: CallAnswer,
    { isRouted, isBegun }: { isRouted: boolean; isBegun: boolean },
  ): void {
    const routed = isRouted ? outputOf<Routed>(said) : {};
    // Words to a run are answered in the run's session, which is not this conversation's.
    const session = tabOf(id)?.session ?? (routed.status === 'done' ? undefined : routed.session);
    const shown = withExcerpts(shortened(said, isBegun), routed);
    happen({ type: 'answered', tab: id, items: itemsOf(shown, routed.level === 3), session });
    if (shown.kind !== 'done') return;
    unkept.push({ tab: id, told: text, said: shown.text.slice(0, mostKept) });
    if (session === undefined) return;
    kept.write({ type: 'tab', tab: id, session, title: tabOf(id)?.title ?? '' });
    void keepConversation(id, session);
  }

  /** Into the transcript of the session, where the next terminal and editors find it. */
  async function keepConversation(id: string, session: string): Promise<void> {
    const due = unkept.filter(({ tab }) => tab === id);
    unkept = unkept.filter(({ tab }) => tab !== id);
    for (const { told, said } of due)
      await calls.call({ operation: 'keep_conversation', input: { session, told, said } });
  }

  /** What was typed while something was answered goes out in its order. */
  function next(id: string): void {
    const [text] = tabOf(id)?.queue ?? [];
    if (text === undefined || tabOf(id)?.asking) return;
    happen({ type: 'unqueued', tab: id });
    happen({ type: 'told', tab: id, text });
    void answer(id, text, readLine(text, verbOf));
  }

  function decide(id: string, { kind, line, options }: Question, said: string) {
    if (kind === 'worker') {
      const value = options[Number(said) - 1] ?? (options.includes(said) ? said : 'none');
      kept.write({ type: 'chosen', name: 'worker', value });
      return note(
        value === 'none'
          ? 'Nobody then. /worker changes it.'
          : `${value} works in your runs. /worker changes it.`,
      );
    }
    if (kind === 'words') {
      const words = [...wordsOf(line), said];
      return void (line.startsWith('run message')
        ? team.move({ words }, words[2] ?? '')
        : team.begin({ words }, words[2] ?? ''));
    }
    if (!/^y(es)?$/i.test(said)) return note('No: nothing was done.');
    happen({ type: 'told', tab: id, text: line });
    void answer(id, line, readLine(line, verbOf), true);
  }

  function command(id: string, { name, rest }: Line) {
    if (name === 'help' && rest !== '') return void help(id, rest);
    if (name === 'new') return void newTab(rest);
    if (name === 'close') return closeTab(id);
    if (name === 'tab') return goTo(Number(rest) - 1);
    if (name === 'worker') {
      if (rest === '') return note(`Works in your runs: ${workerName()}. /worker NAME changes it.`);
      choosing = chooseWorker(rest);
      return;
    }
    onCommand(name, rest);
  }

  /** Lines that come after it wait until it is known who works. */
  let choosing: Promise<void> = Promise.resolve();
  async function chooseWorker(name: string) {
    const problem = await workerProblem(calls, name);
    if (problem !== undefined)
      return show(view.active, { kind: 'failed', text: problem, hint: workerAdvice });
    kept.write({ type: 'chosen', name: 'worker', value: name });
    note(`${name === 'none' ? 'Nobody' : name} works in your runs.`);
  }

  async function help(id: string, rest: string) {
    const said = await calls.call({ help: rest.replaceAll('/', ' ').trim().split(/\s+/) });
    show(id, { kind: 'told', text: `/help ${rest}` }, ...itemsOf(said));
  }

  const workerName = () => kept.kept().choices['worker'] ?? 'none';

  async function newTab(name: string) {
    const title = name || `Session ${view.tabs.length + 1}`;
    // Activated without a switch: other clients of this person stay in their session.
    const made = await calls.call({ operation: 'create_session', input: { name: title, activate: false } });
    if (made.kind !== 'done') return show(view.active, ...itemsOf(made));
    const { id } = made.output as { id: string };
    await calls.call({ operation: 'update_session', input: { id, change: 'activate' } });
    happen({ type: 'opened', tab: id, title, session: id });
    kept.write({ type: 'tab', tab: id, session: id, title });
    kept.write({ type: 'switched', tab: id });
  }

  function closeTab(id: string) {
    if (id === main) return note('The first tab stays. /quit leaves the terminal.');
    running.get(id)?.abort();
    happen({ type: 'closed', tab: id });
    kept.write({ type: 'closed', tab: id });
  }

  function goTo(at: number) {
    const tab = view.tabs[at];
    if (!tab) return note(`There are ${view.tabs.length} tabs.`);
    happen({ type: 'switched', tab: tab.id });
    kept.write({ type: 'switched', tab: tab.id });
  }

  return {
    view: () => view,
    team,
    open,
    submit,
    note,
    goTo,
    newTab: () => void newTab(''),
    keepDraft: (text: string) => kept.write({ type: 'draft', tab: view.active, text }),
    /** What was typed and not sent is found again in the history. */
    setAside: (text: string) => {
      kept.write({ type: 'told', tab: view.active, text });
      settle(view.active, text);
    },
    draftOf: (tab: string) => kept.kept().tabs.find(({ id }) => id === tab)?.draft ?? '',
    /** The next line of the person is the last word of a command. */
    askWords: (text: string, line: string) => ask(view.active, text, { kind: 'words', line, options: [] }),
    /** Stops what is being answered in this tab; false where nothing is. */
    interrupt: (): boolean => {
      const controller = running.get(view.active);
      controller?.abort();
      return controller !== undefined;
    },
  };
}
