import type { CallEvent } from '../../operations/operation.ts';
import { foldRunLine, type RunsView, type RunView } from './runs-view.ts';

/** One thing in a conversation. */
export type Item =
  | { kind: 'told'; text: string }
  /** `markdown`: written by a model, not by us. */
  | { kind: 'said'; text: string; markdown: boolean }
  | { kind: 'event'; text: string }
  | { kind: 'failed'; text: string; hint: string | undefined }
  | { kind: 'note'; text: string };

export interface Tab {
  id: string;
  /** The session that it is a conversation of; none before the first answer. */
  session: string | undefined;
  title: string;
  items: Item[];
  /** What is being answered. */
  asking: { text: string; progress: string } | undefined;
  /** What was typed meanwhile; it is sent in this order. */
  queue: string[];
  /** What the next line answers. */
  question: Question | undefined;
}

export interface Question {
  /** A decision that a line asked for, to be made with y or n; who works in runs, by number; or the last word of a command. */
  kind: 'consent' | 'worker' | 'words';
  line: string;
  options: string[];
}

/** Everything that the screen shows: a pure function of what happened. */
export interface View extends RunsView {
  root: string;
  tabs: Tab[];
  active: string;
}

export type Happened =
  | { type: 'opened'; tab: string; title: string; session?: string | undefined; items?: Item[] }
  /** What was said in an earlier process: it stands before what was said since. */
  | { type: 'loaded'; tab: string; items: Item[] }
  | { type: 'closed'; tab: string }
  | { type: 'switched'; tab: string }
  | { type: 'told'; tab: string; text: string }
  | { type: 'unqueued'; tab: string }
  | { type: 'event'; tab: string; event: CallEvent }
  | { type: 'answered'; tab: string; items: Item[]; session?: string | undefined }
  | { type: 'shown'; tab: string; items: Item[] }
  | { type: 'asked'; tab: string; text: string; question: Question }
  | { type: 'decided'; tab: string }
  | { type: 'runs'; runs: RunView[]; waiting: RunsView['waiting'] }
  | { type: 'run_line'; event: Extract<CallEvent, { type: 'run' }> };

export const emptyView = (root: string): View => ({
  root,
  tabs: [],
  active: '',
  runs: [],
  waiting: [],
  doing: {},
});

/** More than this is in the transcript, not in memory. */
const mostItems = 2000;

export const activeTab = ({ tabs, active }: View): Tab | undefined => tabs.find(({ id }) => id === active);

const changed = (view: View, id: string, change: (tab: Tab) => Partial<Tab>): View => ({
  ...view,
  tabs: view.tabs.map((tab) => (tab.id === id ? { ...tab, ...change(tab) } : tab)),
});
const added = (tab: Tab, items: Item[]): Item[] => [...tab.items, ...items].slice(-mostItems);

export function fold(view: View, happened: Happened): View {
  switch (happened.type) {
    case 'opened':
      return {
        ...view,
        active: happened.tab,
        tabs: [...view.tabs.filter(({ id }) => id !== happened.tab), newTab(happened)],
      };
    case 'loaded':
      return changed(view, happened.tab, ({ items }) => ({
        items: [...happened.items, ...items].slice(-mostItems),
      }));
    case 'closed': {
      const at = view.tabs.findIndex(({ id }) => id === happened.tab);
      const tabs = view.tabs.filter(({ id }) => id !== happened.tab);
      const next = tabs[Math.max(0, at - 1)]?.id ?? '';
      return { ...view, tabs, active: view.active === happened.tab ? next : view.active };
    }
    case 'switched':
      return view.tabs.some(({ id }) => id === happened.tab) ? { ...view, active: happened.tab } : view;
    case 'told':
      return changed(view, happened.tab, (tab) =>
        tab.asking
          ? { queue: [...tab.queue, happened.text] }
          : {
              asking: { text: happened.text, progress: '' },
              items: added(tab, [{ kind: 'told', text: happened.text }]),
            },
      );
    case 'unqueued':
      return changed(view, happened.tab, ({ queue }) => ({ queue: queue.slice(1) }));
    case 'event':
      return changed(view, happened.tab, (tab) => foldEvent(tab, happened.event));
    case 'answered':
      return changed(view, happened.tab, (tab) => ({
        asking: undefined,
        items: added(tab, happened.items),
        session: happened.session ?? tab.session,
      }));
    case 'shown':
      return changed(view, happened.tab, (tab) => ({ items: added(tab, happened.items) }));
    case 'asked':
      return changed(view, happened.tab, (tab) => ({
        asking: undefined,
        question: happened.question,
        items: added(tab, [{ kind: 'note', text: happened.text }]),
      }));
    case 'decided':
      return changed(view, happened.tab, () => ({ question: undefined }));
    case 'runs':
      return { ...view, runs: happened.runs, waiting: happened.waiting };
    case 'run_line':
      return { ...view, ...foldRunLine(view, happened.event) };
  }
}

const newTab = ({ tab, title, session, items = [] }: Extract<Happened, { type: 'opened' }>): Tab => ({
  id: tab,
  title,
  session,
  items,
  asking: undefined,
  queue: [],
  question: undefined,
});

/** Progress replaces progress; text is added to the text that came before it. */
function foldEvent(tab: Tab, event: CallEvent): Partial<Tab> {
  if (event.type === 'progress')
    return tab.asking ? { asking: { ...tab.asking, progress: progressText(event) } } : {};
  if (event.type !== 'text') return {};
  const last = tab.items.at(-1);
  if (last?.kind === 'said' && last.markdown && event.from === 'agent')
    return { items: [...tab.items.slice(0, -1), { ...last, text: last.text + event.text }] };
  return {
    items: added(tab, [
      event.from === 'agent'
        ? { kind: 'said', text: event.text, markdown: true }
        : { kind: 'event', text: event.text },
    ]),
  };
}

const progressText = ({ message, done, total }: Extract<CallEvent, { type: 'progress' }>): string =>
  total ? `${message} ${Math.floor((100 * done) / total)} %` : message;
