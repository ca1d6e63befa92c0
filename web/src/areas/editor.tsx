import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded } from '../components/states.tsx';

type Kind = 'atom' | 'molecule';

/** The text of an area, as a file of it would be. Saving is refused where somebody else was faster, and both are shown. */
export function AreaEditor({ id, kind, onClose }: { id: string; kind: Kind; onClose(): void }) {
  const text = useOperation('get_area', { id, type: kind });
  return (
    <Card
      title="Edit the area"
      aside={
        <button type="button" onClick={onClose}>
          Stop editing
        </button>
      }
    >
      <Loaded query={text} what="the text">
        {({ data }) => (data ? <Form id={id} kind={kind} start={data} onClose={onClose} /> : null)}
      </Loaded>
    </Card>
  );
}

interface Version {
  text: string;
  version: number;
}

function Form({
  id,
  kind,
  start,
  onClose,
}: {
  id: string;
  kind: Kind;
  /** As it was when editing began; what is loaded later does not overwrite what was typed. */
  start: Version;
  onClose(): void;
}) {
  const [base, setBase] = useState(start);
  const [draft, setDraft] = useState(start.text);
  const save = useAction('save_area');
  const conflict = save.error instanceof ApiError && save.error.code === 'CONFLICT';
  const theirs = useOperation('get_area', { id, type: kind }, { enabled: conflict });
  const other = conflict && theirs.data?.data?.version !== base.version ? theirs.data?.data : undefined;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ text: draft, version: base.version }, { onSuccess: onClose });
      }}
    >
      <label className="field">
        <span>Text, based on version {base.version}</span>
        <textarea rows={16} spellCheck value={draft} onChange={(event) => setDraft(event.target.value)} />
      </label>
      {save.error && !conflict ? <Failure error={save.error} /> : null}
      {conflict ? (
        <section className="notice failure" role="alert" aria-label="Version conflict">
          <p className="notice-title">Someone changed it while you were editing. Nothing was saved.</p>
          {other ? (
            <>
              <p>
                Version {other.version} now says (yours is based on version {base.version}):
              </p>
              <pre className="snippet tall">{other.text}</pre>
              <p className="meta">
                <button type="button" onClick={() => takeBase(other)}>
                  Keep my text, on top of version {other.version}
                </button>
                <button
                  type="button"
                  onClick={() => {
                    takeBase(other);
                    setDraft(other.text);
                  }}
                >
                  Take theirs instead
                </button>
              </p>
            </>
          ) : null}
        </section>
      ) : null}
      <p className="meta">
        <button
          type="submit"
          className="primary"
          disabled={save.isPending || conflict || draft === base.text}
        >
          {save.isPending ? 'Saving…' : 'Save'}
        </button>
      </p>
    </form>
  );

  function takeBase(version: Version) {
    setBase(version);
    save.reset();
  }
}
