import { matchesKey } from '@earendil-works/pi-tui';
import { wrap } from './item-lines.ts';
import type { Page } from './page.ts';
import { groupNeeds, type Need, type NeedGroup } from './runs-view.ts';
import type { Theme } from './theme.ts';

/**
 * What waits for the person, as it was when the page was opened: nothing moves under the finger. What was answered elsewhere is marked, what
 * is new is counted.
 */
export function createNeedsPage({
  waiting,
  theme,
  choose,
}: {
  waiting(): Need[];
  theme(): Theme;
  choose(need: Need, option: string): void;
}): Page {
  let groups = groupNeeds(waiting());
  const answered = new Map<NeedGroup, string>();
  const isOpen = ({ needs }: NeedGroup) => needs.some(({ id }) => waiting().some((now) => now.id === id));
  let at = 0;
  const seen = () => new Set(groups.flatMap(({ needs }) => needs.map(({ id }) => id)));
  const fresh = () => waiting().filter(({ id }) => !seen().has(id));
  const selectable = () => groups.filter((group) => !answered.has(group) && isOpen(group));
  const act = (option: string) => {
    const group = selectable()[at];
    if (!group) return;
    answered.set(group, option);
    for (const need of group.needs) choose(need, option);
    at = Math.max(0, Math.min(at, selectable().length - 1));
  };
  const linesOf = (group: NeedGroup, width: number): string[] => {
    const { question, options, needs } = group;
    const isChosen = selectable()[at] === group;
    const [first] = needs;
    const names = needs.map(({ node, run }) => node ?? run.slice(-6)).slice(0, 8);
    const times = needs.length > 1 ? ` (${needs.length} ×: ${names.join(', ')})` : '';
    const state = answered.get(group) ?? (isOpen(group) ? '' : 'answered elsewhere');
    const title = `${isChosen ? '›' : ' '} ${first?.node ?? 'run'} of ${first?.prompt.split('\n', 1)[0]?.slice(0, 60)}${times}`;
    return [
      isChosen ? theme().strong(theme().accent(title)) : title,
      ...question.split('\n').flatMap((line) => wrap(line, width - 4).map((each) => `    ${each}`)),
      state === ''
        ? `    ${options.map((option, number) => `${theme().accent(String(number + 1))} ${option.replaceAll('_', ' ')}`).join('   ')}`
        : theme().quiet(`    ${state}`),
      '',
    ];
  };
  return {
    title: () =>
      `Needs you: ${selectable().length}${fresh().length > 0 ? ` · ${fresh().length} more since: n shows them` : ''}`,
    keys: () => 'Up, Down choose · 1 2 3 answer · n what is new · Esc closes',
    lines: (width) =>
      groups.length === 0
        ? ['', ' Nothing waits for you.']
        : groups.flatMap((group) => linesOf(group, width)),
    chosen: (width) =>
      groups
        .slice(0, groups.indexOf(selectable()[at] ?? groups[0]!))
        .reduce((sum, group) => sum + linesOf(group, width).length, 0),
    onKey: (key) => {
      if (matchesKey(key, 'down')) at = Math.min(at + 1, Math.max(0, selectable().length - 1));
      else if (matchesKey(key, 'up')) at = Math.max(0, at - 1);
      else if (/^[1-9]$/.test(key)) {
        const option = selectable()[at]?.options[Number(key) - 1];
        if (option) act(option);
      } else if (key === 'n') {
        groups = [...selectable(), ...groupNeeds(fresh())];
        at = 0;
      } else return false;
      return true;
    },
  };
}
