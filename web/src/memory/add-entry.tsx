import { useState } from 'react';
import { useAction } from '../api/use.ts';
import { Card, Failure } from '../components/states.tsx';

/** What a person writes down by hand, and who sees it. */
const categories = [
  ['decision', 'Decision', true],
  ['failure', 'Something that failed', true],
  ['pattern', 'Pattern', true],
  ['insight', 'Insight', true],
  ['open_thread', 'Open question', true],
  ['general', 'Note', false],
] as const;

export function AddEntry() {
  const store = useAction('store_entry');
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const [category, setCategory] = useState<(typeof categories)[number][0]>('decision');
  const isShared = categories.find(([name]) => name === category)?.[2];
  return (
    <Card title="Remember something">
      <form
        className="entry"
        onSubmit={(event) => {
          event.preventDefault();
          store.mutate(
            { content: content.trim(), title: title.trim(), category },
            {
              onSuccess: () => {
                setTitle('');
                setContent('');
              },
            },
          );
        }}
      >
        <div className="toolbar fields">
          <label>
            <span>Kind</span>
            <select
              value={category}
              onChange={({ target }) =>
                setCategory(categories.find(([name]) => name === target.value)?.[0] ?? 'general')
              }
            >
              {categories.map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>Title</span>
            <input value={title} onChange={(event) => setTitle(event.target.value)} />
          </label>
        </div>
        <textarea
          aria-label="What to remember"
          rows={3}
          value={content}
          placeholder="What was decided or learnt, and why"
          onChange={(event) => setContent(event.target.value)}
        />
        <p className="meta">
          <button type="submit" className="primary" disabled={store.isPending || content.trim() === ''}>
            Remember
          </button>
          <span className="muted">
            {isShared ? 'Every agent of this repository sees it.' : 'Only you see it, until you promote it.'}
          </span>
        </p>
        {store.error ? <Failure error={store.error} /> : null}
        {store.data?.warnings.map((warning) => (
          <p key={warning} className="muted">
            {warning}
          </p>
        ))}
      </form>
    </Card>
  );
}
