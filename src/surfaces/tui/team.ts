import type { CallEvent } from '../../operations/operation.ts';
import type { CallAnswer, CallRequest, Calls } from './calls.ts';
import { isApproval, isPlan, type Need, type RunView } from './runs-view.ts';
import type { Happened, Item } from './view.ts';

export interface TeamOptions {
  calls: Calls;
  happen(happened: Happened): void;
  /** Into the tab that a run was begun in. */
  show(run: string, ...items: Item[]): void;
  /** The answer of a call as items. */
  itemsOf(said: CallAnswer): Item[];
}

const pollMs = 3000;
const restMs = 400;
const stepKinds = new Set(['said', 'calling', 'result', 'note', 'told']);

/** Runs as the terminal sees them: what they do, what they wait for, and the person's answers. */
export function createTeam({ calls, happen, show, itemsOf }: TeamOptions) {
  /** Runs that this terminal carries out. */
  const carried = new Map<string, AbortController>();
  /** Runs that were begun or looked at here: they are shown until the terminal ends. */
  const known = new Set<string>();
  /** Runs that the person does not want to see here any more. */
  const hidden = new Set<string>();
  let due: NodeJS.Timeout | undefined;
  let lastTook = 0;
  let isReading = false;

  const onEvent = (event: Extract<CallEvent, { type: 'run' }>) => {
    known.add(event.run);
    happen({ type: 'run_line', event });
    if (!stepKinds.has(event.what)) show(event.run, { kind: 'event', text: event.text });
    soon();
  };

  /** Reads how the runs stand: after what happens, not more often than reading takes. */
  function soon(afterMs = restMs): void {
    due ??= setTimeout(() => void refresh(), Math.max(afterMs, lastTook * 3));
  }

  async function refresh(): Promise<void> {
    due = undefined;
    if (isReading) return;
    isReading = true;
    const begun = performance.now();
    const [listed, needs] = await Promise.all([
      calls.call({ operation: 'list_runs', input: { active: true, limit: 6 } }),
      calls.call({ operation: 'list_waiting' }),
    ]);
    const active = listed.kind === 'done' ? (listed.output as { runs: Array<{ id: string }> }).runs : [];
    const waiting = needs.kind === 'done' ? (needs.output as { waiting: Need[] }).waiting : [];
    const ids = [...new Set([...active.map(({ id }) => id), ...known])].filter((id) => !hidden.has(id));
    const runs = await Promise.all(ids.map(read));
    const asked = waiting.filter(({ run }) => !hidden.has(run));
    happen({ type: 'runs', runs: runs.filter((run) => run !== undefined), waiting: asked });
    lastTook = performance.now() - begun;
    isReading = false;
    goOn(runs);
  }

  async function read(run: string): Promise<RunView | undefined> {
    const said = await calls.call({ operation: 'get_run', input: { run, plan: true } });
    if (said.kind !== 'done') return undefined;
    const view = said.output as RunView & { plan?: { nodes: Array<Partial<RunView['nodes'][number]>> } };
    // What a plan that waits would add is shown before it is approved.
    const known = new Set(view.nodes.map(({ id }) => id));
    const added = (view.plan?.nodes ?? []).filter(({ id }) => id !== undefined && !known.has(id));
    const first = view.nodes.length + 1;
    const proposed = added.map((node, at) => ({ ...blank, ...node, number: first + at }));
    return { ...view, nodes: [...view.nodes, ...(proposed as RunView['nodes'])] };
  }

  /** What was begun here and nobody carries out goes on here: the person's words may have moved it. */
  function goOn(runs: Array<RunView | undefined>): void {
    for (const run of runs)
      if (run?.standing === 'interrupted' && known.has(run.run) && !carried.has(run.run))
        begin({ operation: 'resume_run', input: { run: run.run } }, run.run);
  }

  /** Carries out a run beside the conversation. */
  function begin(request: CallRequest, run: string): void {
    known.add(run);
    if (carried.has(run)) return;
    const controller = new AbortController();
    carried.set(run, controller);
    const heard = (event: CallEvent) => {
      if (event.type === 'run') onEvent(event);
      else if (event.type === 'text') show(run, { kind: 'event', text: event.text });
    };
    void calls.call(request, { signal: controller.signal, onEvent: heard }).then((said) => {
      carried.delete(run);
      show(run, ...itemsOf(said));
      soon(0);
    });
  }

  /** A short move of a run. Answers why it failed; '' where it did not. */
  async function move(request: CallRequest, run: string): Promise<string> {
    const said = await calls.call(request);
    if (said.kind === 'failed') show(run, ...itemsOf(said));
    soon(0);
    return said.kind === 'failed' ? said.message : '';
  }

  /** Does what the person chose. Answers what is still to be asked, and the command that it finishes, where there is something. */
  function choose(need: Need, option: string): { ask: string; line: string } | undefined {
    const { run, id } = need;
    if (isApproval(need)) {
      const answer = option === 'deny' ? 'denied' : 'approved';
      void move({ operation: 'approve', input: { approval_id: id, answer }, isConfirmed: true }, run);
    } else if (isPlan(need)) {
      if (option !== 'approve')
        return { ask: 'What should be different?', line: `run approve ${run} --reject` };
      begin({ operation: 'approve_run', input: { run } }, run);
    } else if (option === 'answer in words')
      return { ask: need.question, line: `run answer ${run} --question ${id}` };
    else {
      const input = { run, answer: option, question: id };
      if (carried.has(run)) void move({ operation: 'answer_run', input: { ...input, start: false } }, run);
      else begin({ operation: 'answer_run', input }, run);
    }
    return undefined;
  }

  const poll = setInterval(() => soon(0), pollMs);
  poll.unref();
  return {
    refresh: () => soon(0),
    begin,
    move,
    choose,
    onEvent,
    /** From now on it is shown here. */
    watch: (run: string) => {
      known.add(run);
      soon(0);
    },
    /** Away from the screen of this terminal; the run stays as it is. */
    putAway: (run: string) => {
      hidden.add(run);
      soon(0);
    },
    carriedCount: () => carried.size,
    end: () => {
      clearInterval(poll);
      clearTimeout(due);
    },
  };
}

const blank = {
  agent: 'engineer',
  prompt: '',
  depends_on: [],
  stage: 'proposed',
  legs: 0,
  loops: { inspector: 0, tester: 0, merge: 0 },
  files: [],
  output: '',
  cost: 0,
  tokens: { input: 0, output: 0 },
};
