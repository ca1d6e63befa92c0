import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { agentKey, type NodeView, type RunsView, type RunView, treeOf } from './runs-view.ts';
import type { Theme } from './theme.ts';

type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent';

/** A sign, a word and a colour for each state; the word is enough without the colour. */
const stages: Record<string, [sign: string, word: string, tone: Tone]> = {
  proposed: ['?', 'planned', 'accent'],
  pending: ['·', 'not begun', 'quiet'],
  queued: ['·', 'in line', 'quiet'],
  working: ['●', 'at work', 'warn'],
  inspecting: ['◐', 'being inspected', 'warn'],
  testing: ['◑', 'being tested', 'warn'],
  merging: ['◒', 'being merged', 'warn'],
  reverting: ['◒', 'being taken out', 'warn'],
  asking: ['!', 'needs you', 'bad'],
  parked: ['z', 'waits', 'quiet'],
  claimed: ['☻', 'done by a person', 'accent'],
  failed: ['✗', 'failed', 'bad'],
  done: ['✓', 'done', 'good'],
};

export const stageOf = (stage: string): [sign: string, word: string, tone: Tone] =>
  stages[stage] ?? ['–', stage.replaceAll('_', ' '), 'quiet'];

const isAtWork = ({ stage }: NodeView): boolean =>
  ['working', 'inspecting', 'testing', 'merging', 'reverting', 'asking', 'parked', 'failed'].includes(stage);

export const tokensText = ({ input, output }: { input: number; output: number }): string => {
  const total = input + output;
  return total === 0 ? '' : total < 10_000 ? `${total} tok` : `${Math.round(total / 1000)}k tok`;
};
export const costText = (cost: number): string => (cost === 0 ? '' : `$${cost.toFixed(cost < 1 ? 3 : 2)}`);
const joined = (parts: string[]): string => parts.filter(Boolean).join(' · ');

/** One line for a run. */
export function runLine({ prompt, standing, nodes, cost, tokens, budget }: RunView, theme: Theme): string {
  const done = nodes.filter(({ stage }) => stage === 'done').length;
  const spent = budget === undefined ? costText(cost) : `${costText(cost) || '$0'} of $${budget.toFixed(2)}`;
  const facts = joined([
    standing,
    nodes.length > 0 ? `${done}/${nodes.length}` : '',
    spent,
    tokensText(tokens),
  ]);
  return `${theme.strong(prompt.split('\n', 1)[0]?.slice(0, 60) ?? '')} ${theme.quiet(`· ${facts}`)}`;
}

/** One line for an agent: how far, what it does now, how often it was sent back, tokens, cost. */
export function nodeLine(
  { node, depth, doing }: { node: NodeView; depth: number; doing: string },
  width: number,
  theme: Theme,
): string {
  const { id, stage, agent, legs, loops, error, tokens, cost, files } = node;
  const [sign, word, tone] = stageOf(stage);
  const sent = loops.inspector + loops.tester + loops.merge;
  const facts = joined([
    sent > 0 ? `sent back ${sent} ×` : legs > 1 ? `leg ${legs}` : '',
    tokensText(tokens),
    costText(cost),
  ]);
  const indent = ' '.repeat(Math.min(depth, 6) * 2);
  const name = `${indent}${theme[tone](sign)} ${theme.strong(id)}`;
  const role = agent === 'engineer' ? '' : ` ${theme.quiet(agent)}`;
  const about = error
    ? error.split('\n', 1)[0]
    : stage === 'done'
      ? files.slice(0, 3).join(', ')
      : isAtWork(node)
        ? doing
        : '';
  const left = `${name}${role} ${theme[tone](word)}${about ? ` ${theme.quiet('·')} ${about}` : ''}`;
  if (facts === '' || width < 40) return truncateToWidth(left, width, '…');
  const right = theme.quiet(facts);
  const room = Math.max(10, width - visibleWidth(right) - 1);
  const cut = truncateToWidth(left, room, '…');
  return truncateToWidth(
    `${cut}${' '.repeat(Math.max(1, width - visibleWidth(cut) - visibleWidth(right)))}${right}`,
    width,
    '',
  );
}

/** The plan of each run as a tree, in as many lines as there is room: what is at work is shown first. */
export function runsLines({ runs, doing }: RunsView, width: number, most: number, theme: Theme): string[] {
  if (runs.length === 0 || most < 2) return [];
  const each = Math.max(2, Math.floor(most / runs.length));
  return runs.slice(0, Math.max(1, Math.floor(most / 2))).flatMap((run) => {
    const rows = treeOf(run.nodes);
    const room = each - 1;
    const chosen = rows.length <= room ? rows : fitting(rows, room - 1);
    const hidden = rows.length - chosen.length;
    return [
      truncateToWidth(runLine(run, theme), width, '…'),
      ...chosen.map((row) =>
        nodeLine({ ...row, doing: doing[agentKey(run.run, row.node.id)] ?? '' }, width, theme),
      ),
      ...(hidden > 0 ? [theme.quiet(truncateToWidth(`  and ${hidden} more: Ctrl-R`, width, '…'))] : []),
    ];
  });
}

function fitting<Row extends { node: NodeView }>(rows: Row[], room: number): Row[] {
  const busy = rows.filter(({ node }) => isAtWork(node));
  const rest = rows.filter(({ node }) => !isAtWork(node) && node.stage !== 'done');
  const kept = new Set([...busy, ...rest, ...rows].slice(0, Math.max(0, room)));
  return rows.filter((row) => kept.has(row));
}
