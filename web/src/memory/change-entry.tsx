import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Output } from '../api/client.ts';
import { useAction } from '../api/use.ts';
import { Failure } from '../components/states.tsx';
import { links } from '../links.ts';

/** Corrects an entry, which keeps the old words as history, or deletes it for good. */
export function ChangeEntry({ entry }: { entry: Output<'get_entry'> }) {
  const [mode, setMode] = useState<'closed' | 'edit' | 'delete'>('closed');
  const [content, setContent] = useState(entry.content);
  const [, navigate] = useLocation();
  const store = useAction('store_entry');
  const forget = useAction('forget');
  const name = entry.title || 'entry';
  const close = () => setMode('closed');
  if (mode === 'edit')
    return (
      <form
        className="entry"
        onSubmit={(event) => {
          event.preventDefault();
          // The list drops the old entry before this answer is read, so this does not depend on being shown.
          void store
            .mutateAsync({ content: content.trim(), supersedes: entry.id })
            .then((stored) => navigate(links.entry(stored.entry.id)))
            .then(close)
            .catch(() => undefined);
        }}
      >
        <textarea
          aria-label={`New text of ${name}`}
          rows={4}
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
        <p className="meta">
          <button type="submit" className="primary" disabled={store.isPending || content.trim() === ''}>
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <span className="muted">The old words stay as its history.</span>
        </p>
        {store.error ? <Failure error={store.error} /> : null}
      </form>
    );
  if (mode === 'delete')
    return (
      <p className="meta">
        <button
          type="button"
          disabled={forget.isPending}
          onClick={() =>
            void forget
              .mutateAsync({ what: entry.id })
              .then(() => navigate('/memory'))
              .catch(() => undefined)
          }
        >
          Delete for good
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
        <span className="muted">Copies of it in backups and cached answers are deleted too.</span>
        {forget.error ? <Failure error={forget.error} /> : null}
      </p>
    );
  return (
    <p className="meta">
      {entry.superseded_by ? null : (
        <button type="button" className="link" onClick={() => setMode('edit')}>
          Edit<span className="hidden"> {name}</span>
        </button>
      )}
      <button type="button" className="link" onClick={() => setMode('delete')}>
        Delete<span className="hidden"> {name}</span>
      </button>
    </p>
  );
}
