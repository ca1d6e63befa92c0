import { describe, expect, test } from 'vitest';
import { activeTab, emptyView, fold, type Happened, type View } from './view.ts';

const after = (...happened: Happened[]): View =>
  happened.reduce(fold, fold(emptyView('/code/ky'), { type: 'opened', tab: 'main', title: 'Guide' }));
const textsOf = (view: View) => activeTab(view)?.items.map(({ kind, text }) => `${kind}: ${text}`);

describe('the view of a terminal', () => {
  test('what is typed while something is answered waits in line, in its order', () => {
    const told = (text: string): Happened => ({ type: 'told', tab: 'main', text });
    const view = after(told('one'), told('two'), told('three'));
    expect(activeTab(view)?.asking?.text).toBe('one');
    expect(activeTab(view)?.queue).toEqual(['two', 'three']);
    expect(textsOf(view)).toEqual(['told: one']);
  });

  test('progress replaces progress, and words of an agent are joined', () => {
    const event = (event: Extract<Happened, { type: 'event' }>['event']): Happened => ({
      type: 'event',
      tab: 'main',
      event,
    });
    const view = after(
      { type: 'told', tab: 'main', text: 'go' },
      event({ type: 'progress', done: 1, total: 4, message: 'Reading' }),
      event({ type: 'progress', done: 2, total: 4, message: 'Reading' }),
      event({ type: 'text', from: 'agent', text: 'It is ' }),
      event({ type: 'text', from: 'agent', text: 'here.' }),
      event({ type: 'text', text: 'A line of ours' }),
    );
    expect(activeTab(view)?.asking?.progress).toBe('Reading 50 %');
    expect(textsOf(view)).toEqual(['told: go', 'said: It is here.', 'event: A line of ours']);
  });

  test('what was said in an earlier process stands before what was said since', () => {
    const view = after(
      { type: 'told', tab: 'main', text: 'new' },
      { type: 'loaded', tab: 'main', items: [{ kind: 'told', text: 'old' }] },
    );
    expect(textsOf(view)).toEqual(['told: old', 'told: new']);
  });

  test('closing the tab in front shows its neighbour', () => {
    const view = after(
      { type: 'opened', tab: 'b', title: 'B' },
      { type: 'opened', tab: 'c', title: 'C' },
      { type: 'switched', tab: 'b' },
      { type: 'closed', tab: 'b' },
    );
    expect([view.active, view.tabs.map(({ id }) => id)]).toEqual(['main', ['main', 'c']]);
  });

  test('the last thing that an agent did stands without the name of its node', () => {
    const line = { type: 'run', run: 'r', node: 'limiter', at: '', what: 'calling' } as const;
    const view = after(
      { type: 'run_line', event: { ...line, text: 'limiter  read_file src/a.ts' } },
      { type: 'run_line', event: { ...line, text: 'limiter  edit_file src/a.ts' } },
    );
    expect(view.doing).toEqual({ 'r/limiter': 'edit_file src/a.ts' });
  });
});
