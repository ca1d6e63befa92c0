import { matchesKey } from '@earendil-works/pi-tui';
import type { Calls } from './calls.ts';
import { diffLine, itemLines, wrap } from './item-lines.ts';
import type { Page } from './page.ts';
import { costText, nodeLine, runLine, tokensText } from './run-lines.ts';
import { agentKey, type NodeView, type RunsView, type RunView, treeOf } from './runs-view.ts';
import type { Theme } from './theme.ts';

const parts = ['steps', 'changed lines', 'findings and tests', 'task'] as const;
type Part = (typeof parts)[number];
type Row = { run: RunView; node?: NodeView; depth: number };

export interface RunsPageOptions {
  view(): RunsView;
  theme(): Theme;
  calls: Calls;
  /** A move of a run: pause, stop, resume, land. */
  onMove(name: string, run: string, node: string | undefined): Promise<string>;
  /** Takes a run off the screen. */
  onAway(run: string): void;
  /** Words that the person goes on writing. */
  onDraft(text: string): void;
  onChange(): void;
}

/** Runs with their nodes; Enter goes into a node: its steps, diff, findings and tests. */
export function createRunsPage({
  view,
  theme,
  calls,
  onMove,
  onAway,
  onDraft,
  onChange,
}: RunsPageOptions): Page {
  let at = 0;
  /** What became of the last key, where it failed. */
  let failed = '';
  const move = async (name: string, { run, node }: Row): Promise<void> => {
    const isOfNode = name === 'drop_node' || name === 'retry_node';
    const why = isOfNode && !node ? 'Choose a node first.' : await onMove(name, run.run, node?.id);
    failed = why.split('\n', 1)[0] ?? '';
    onChange();
  };
  let opened: { run: string; node: string; part: Part; text: string[] } | undefined;
  const rows = (): Row[] =>
    view().runs.flatMap((run) => [{ run, depth: 0 }, ...treeOf(run.nodes).map((row) => ({ run, ...row }))]);
  const current = () => rows()[Math.min(at, rows().length - 1)];

  async function show(part: Part, run: string, node: string): Promise<void> {
    opened = { run, node, part, text: ['…'] };
    onChange();
    const text = await textOf(calls, part, run, node);
    if (opened?.part === part && opened.node === node) opened = { run, node, part, text };
    onChange();
  }

  const openedNode = () =>
    opened &&
    view()
      .runs.find(({ run }) => run === opened?.run)
      ?.nodes.find(({ id }) => id === opened?.node);

  function nodeLines(width: number): string[] {
    const node = openedNode();
    if (!opened || !node) return [];
    const { part, text, run } = opened;
    const head = nodeLine(
      { node, depth: 0, doing: view().doing[agentKey(run, node.id)] ?? '' },
      width,
      theme(),
    );
    const tabs = parts.map((name, number) => {
      const label = ` ${number + 1} ${name} `;
      return name === part ? theme().selected(label) : label;
    });
    return [head, tabs.join(''), '', ...text.flatMap((line) => lineOf(part, line, width))];
  }

  const lineOf = (part: Part, line: string, width: number): string[] =>
    part === 'changed lines'
      ? [diffLine(line, width, theme())]
      : part === 'steps' && line.startsWith('said: ')
        ? itemLines({ kind: 'said', text: line.slice('said: '.length), markdown: true }, width, theme())
        : line.split('\n').flatMap((each) => wrap(each, width));

  return {
    title: () => {
      const row = current();
      if (failed !== '') return `✗ ${failed}`;
      if (opened) return `${opened.node} · ${opened.part}`;
      return row ? `Runs · ${row.run.run} ${costText(row.run.cost)} ${tokensText(row.run.tokens)}` : 'Runs';
    },
    keys: () =>
      opened
        ? '1 2 3 4 parts · Up, Down scroll · Esc back'
        : 'Up, Down · Enter into a node · m message · p pause · s stop · r resume · d drop · t retry · l land · x put away · Esc',
    lines: (width) => {
      if (opened) return nodeLines(width);
      const all = rows();
      if (all.length === 0) return ['', ' No run yet: /run what you want, or sylk run --from plan.yaml'];
      return all.map(({ run, node, depth }, number) => {
        const doing = node ? (view().doing[agentKey(run.run, node.id)] ?? '') : '';
        const line = node
          ? nodeLine({ node, depth: depth + 1, doing }, width - 2, theme())
          : runLine(run, theme());
        return `${number === Math.min(at, all.length - 1) ? theme().accent('›') : ' '} ${line}`;
      });
    },
    chosen: () => (opened ? undefined : at),
    onKey: (key) => {
      const row = current();
      failed = '';
      if (opened) {
        if (matchesKey(key, 'escape') || matchesKey(key, 'left')) {
          opened = undefined;
          return true;
        }
        const part = parts[Number(key) - 1];
        if (part === undefined) return false;
        void show(part, opened.run, opened.node);
        return true;
      }
      if (matchesKey(key, 'down')) at = Math.min(at + 1, Math.max(0, rows().length - 1));
      else if (matchesKey(key, 'up')) at = Math.max(0, at - 1);
      else if (!row) return false;
      else if (matchesKey(key, 'enter') || matchesKey(key, 'right')) {
        if (row.node) void show('steps', row.run.run, row.node.id);
      } else if (key === 'm')
        onDraft(`/run message ${row.run.run}${row.node ? ` --node ${row.node.id}` : ''} "`);
      else if (moves[key]) void move(moves[key], row);
      else if (key === 'x') onAway(row.run.run);
      else return false;
      return true;
    },
  };
}

const moves: Record<string, string> = {
  p: 'pause_run',
  s: 'stop_run',
  r: 'resume_run',
  l: 'land_run',
  d: 'drop_node',
  t: 'retry_node',
};

async function textOf(calls: Calls, part: Part, run: string, node: string): Promise<string[]> {
  if (part === 'steps') return stepsOf(calls, run, node);
  const said = await calls.call({
    operation: 'get_run',
    input: { run, story: true, ...(part === 'changed lines' ? { diff: node } : {}) },
  });
  if (said.kind !== 'done') return [said.kind === 'failed' ? said.message : ''];
  const view = said.output as RunView & { story?: string[]; diff?: string };
  const of = view.nodes.find(({ id }) => id === node);
  if (part === 'changed lines') return view.diff ? view.diff.split('\n') : ['It changes no line yet.'];
  if (part === 'task') return [of?.prompt ?? '', '', ...(of?.output ? ['It says:', of.output] : [])];
  const told = (view.story ?? []).filter((line) => new RegExp(`\\s${escaped(node)}: `).test(line));
  return [
    ...told,
    ...(of?.error ? ['', of.error] : []),
    ...(told.length === 0 ? ['Nothing was judged yet.'] : []),
  ];
}

async function stepsOf(calls: Calls, run: string, node: string): Promise<string[]> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const said = await calls.call({
      operation: 'get_transcript',
      input: { run, node, cursor, max_tokens: 8000 },
    });
    if (said.kind !== 'done') return lines.length > 0 ? lines : ['Nobody has worked on it yet.'];
    const page = said.output as { steps: Array<{ kind: string; text: string }>; next_cursor?: string };
    for (const { kind, text } of page.steps)
      if (kind !== 'asking') lines.push(`${kind}: ${text.slice(0, 4000)}`);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return lines;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
