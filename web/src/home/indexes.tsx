import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Pill, type Tone } from '../components/states.tsx';

const sources: Record<string, [title: string, reads: string]> = {
  history: ['History', 'every commit'],
  code: ['Code', 'every file and symbol'],
  recall: ['Meaning', 'so that a question finds what uses other words'],
};

const tones: Record<string, Tone> = {
  fresh: 'good',
  ready: 'good',
  behind: 'warn',
  stale: 'warn',
  indexing: 'warn',
  updating: 'warn',
};

/** What is read of the repository, how far, and the way to read it again. */
export function Indexes() {
  const status = useOperation('get_status', {}, { everyMs: 5_000 });
  const index = useAction('index_repository');
  return (
    <Card
      title="Indexes"
      aside={
        <button type="button" disabled={index.isPending} onClick={() => index.mutate({})}>
          {index.isPending ? 'Reading…' : 'Read again'}
        </button>
      }
    >
      {index.error ? <Failure error={index.error} /> : null}
      <Loaded query={status} what="the state">
        {({ indexes, notices }) => (
          <>
            <ul className="rows">
              {indexes.map((entry) => (
                <li key={entry.source}>
                  <span className="row-main">
                    <strong>{sources[entry.source]?.[0] ?? entry.source}</strong>
                    <span className="muted">
                      {[sources[entry.source]?.[1], entry.detail].filter(Boolean).join(', ')}
                    </span>
                  </span>
                  <Pill tone={tones[entry.state] ?? 'plain'}>{entry.state}</Pill>
                </li>
              ))}
            </ul>
            {notices.map((notice) => (
              <p key={notice} className="muted">
                {notice}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </Card>
  );
}
