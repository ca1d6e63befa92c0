import type { Output } from '../api/client.ts';
import { useDecision, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Time } from '../components/states.tsx';

type Proposal = Output<'get_preferences'>['proposals'][number];

/** What agents say that the person prefers. It holds once the person confirms it. */
export function ProposedPreferences() {
  const preferences = useOperation('get_preferences', {}, { everyMs: 3_000 });
  return (
    <Card title="Proposed preferences">
      <Loaded query={preferences} what="proposed preferences">
        {({ proposals }) => {
          const waiting = proposals.filter(({ status }) => status === 'waiting');
          if (waiting.length === 0) return <p className="muted">None.</p>;
          return (
            <ul className="rows">
              {waiting.map((proposal) => (
                <Proposed key={proposal.id} proposal={proposal} />
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Proposed({ proposal }: { proposal: Proposal }) {
  const decision = useDecision('decide_preference');
  const { id, category, preference, author } = proposal;
  const { isPending: busy, error } = decision;
  return (
    <li>
      <span className="row-main">
        {category}: {preference}
        <span className="muted">
          {author.kind === 'unknown' ? 'unknown author' : `proposed by ${author.kind} ${author.name}`},{' '}
          <Time at={proposal.proposed_at} />
        </span>
      </span>
      <button type="button" disabled={busy} onClick={() => decision.mutate({ id, answer: 'confirmed' })}>
        Confirm here<span className="hidden"> {category}</span>
      </button>
      <button
        type="button"
        disabled={busy}
        onClick={() => decision.mutate({ id, answer: 'confirmed', everywhere: true })}
      >
        Confirm everywhere<span className="hidden"> {category}</span>
      </button>
      <button type="button" disabled={busy} onClick={() => decision.mutate({ id, answer: 'rejected' })}>
        Reject<span className="hidden"> {category}</span>
      </button>
      {error ? <Failure error={error} /> : null}
    </li>
  );
}
