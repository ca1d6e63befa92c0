import { useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useReview } from '../api/review.ts';
import { useAction, useDecision } from '../api/use.ts';
import { Markdown } from '../components/markdown.tsx';
import { Card, Failure, Loaded, Notice, Page, Pill, Time } from '../components/states.tsx';
import { links, refLink } from '../links.ts';

type Conflict = Output<'list_conflicts'>['conflicts'][number];
type Waiting = Output<'review_queue'>['waiting'][number];
type Side = Conflict['left_card'];

/** What contradicts what, and what nobody could verify: a person settles both. */
export default function Review() {
  const { conflicts, queue, alone } = useReview();
  return (
    <Page
      title="Review"
      lead="What contradicts what, and what could not be verified. What you say here counts as said by a person."
    >
      <div className="stack">
        <Loaded query={conflicts} what="contradictions">
          {({ conflicts: found }) =>
            found.length === 0 ? (
              <Notice title="No contradictions">
                When two things say something different about the same subject, both show here.
              </Notice>
            ) : (
              found.map((conflict) => <Dispute key={conflict.id} conflict={conflict} />)
            )
          }
        </Loaded>
        <Loaded query={queue} what="what waits for a review">
          {() =>
            alone.length === 0 && (conflicts.data?.total ?? 0) > 0 ? null : alone.length === 0 ? (
              <Notice title="No entries wait for review">
                An entry that the code does not confirm shows here until you confirm or reject it.
              </Notice>
            ) : (
              alone.map((one) => <Unverified key={one.ref} waiting={one} />)
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}

function Dispute({ conflict }: { conflict: Conflict }) {
  const [reason, setReason] = useState('');
  const resolve = useAction('resolve_conflict');
  const say = (answer: 'keep_left' | 'keep_right' | 'keep_both') =>
    resolve.mutate({ id: conflict.id, answer, reason });
  const off = resolve.isPending || reason.trim() === '';
  return (
    <Card
      title={`Disputed: ${conflict.subject || conflict.kind.replaceAll('_', ' ')}`}
      aside={<Time at={conflict.detected_at} />}
    >
      <p>{conflict.detail}</p>
      <div className="grid">
        <SideView title="Left" card={conflict.left_card} name={conflict.left} />
        <SideView title="Right" card={conflict.right_card} name={conflict.right} />
      </div>
      {conflict.proposal ? <p className="muted">Proposed: {conflict.proposal}</p> : null}
      <div className="answer">
        <label>
          <span>Reason (kept with the answer)</span>
          <input
            type="text"
            placeholder="Say why, then choose"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <button type="button" disabled={off} onClick={() => say('keep_left')}>
          Keep left
        </button>
        <button type="button" disabled={off} onClick={() => say('keep_right')}>
          Keep right
        </button>
        <button type="button" disabled={off} onClick={() => say('keep_both')}>
          Keep both
        </button>
      </div>
      {resolve.error ? <Failure error={resolve.error} /> : null}
    </Card>
  );
}

function SideView({ title, card, name }: { title: string; card: Side; name: string }) {
  return (
    <section className="side-view" aria-label={title}>
      <h3 className="small-head">{title}</h3>
      <p className="meta">
        <Link href={refLink(card?.ref ?? name)}>
          <strong>{card?.title || name}</strong>
        </Link>
        <Pill>{card?.kind ?? 'gone'}</Pill>
        {card && card.state !== 'current' ? <Pill tone="warn">{card.state}</Pill> : null}
      </p>
      {card?.text ? <Markdown text={card.text} /> : null}
      <p className="muted">
        {card?.author}
        {card?.author && card.at ? ' · ' : ''}
        {card?.at ? <Time at={card.at} /> : null}
      </p>
    </section>
  );
}

function Unverified({ waiting }: { waiting: Waiting }) {
  const confirm = useDecision('confirm_entry');
  const { ref, card, warnings, contradictions, confidence, since } = waiting;
  const title = card?.title || ref;
  return (
    <Card title={`Unverified: ${title}`} aside={<Time at={since} />}>
      {card?.text ? <Markdown text={card.text} /> : null}
      {warnings.length + contradictions.length > 0 ? (
        <ul className="rows" aria-label="Evidence against it">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
          {contradictions.map(({ claim, detail, ref: against }) => (
            <li key={claim + detail}>
              <span className="row-main">
                <q>{claim}</q>
                <span className="muted">{detail}</span>
              </span>
              {against ? <Link href={refLink(against)}>See it</Link> : null}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="meta">
        <Pill>{Math.round(confidence * 100)} % sure</Pill>
        <Link href={refLink(ref)}>Open it</Link>
        <Link href={links.graph(ref)}>Related items</Link>
      </p>
      <p className="meta">
        <button
          type="button"
          className="primary"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate({ ref, verdict: 'confirmed' })}
        >
          It is true
        </button>
        <button
          type="button"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate({ ref, verdict: 'rejected' })}
        >
          It is not true: archive it
        </button>
      </p>
      {confirm.error ? <Failure error={confirm.error} /> : null}
    </Card>
  );
}
