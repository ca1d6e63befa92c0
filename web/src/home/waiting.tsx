import { Link } from 'wouter';
import { useReview } from '../api/review.ts';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Time } from '../components/states.tsx';
import { askedFor, count, firstLine } from '../format.ts';
import { links } from '../links.ts';

/** What only a person can answer. */
export function Waiting() {
  const pending = useOperation('list_approvals', { status: 'pending' }, { everyMs: 4_000 });
  const runs = useOperation('list_waiting', {}, { everyMs: 4_000 });
  const needs = runs.data?.waiting ?? [];
  const review = useReview();
  return (
    <Card title="Waiting for you" aside={<Link href="/approvals">All approvals</Link>}>
      <Loaded query={pending} what="approvals">
        {({ approvals }) =>
          approvals.length + review.count + needs.length === 0 ? (
            <Notice title="Nothing waits for an answer">
              When a run needs you, an agent asks to do something outside, or two notes contradict each other,
              it shows here.
            </Notice>
          ) : (
            <ul className="rows">
              {needs.slice(0, 5).map(({ id, run, node, question }) => (
                <li key={run + id}>
                  <Link href={links.run(run)} className="row-main">
                    {node ? `${node}: ` : ''}
                    {firstLine(question)}
                  </Link>
                </li>
              ))}
              {approvals.slice(0, 5).map((approval) => (
                <li key={approval.id}>
                  <Link href="/approvals" className="row-main">
                    {askedFor(approval.prompt)}
                  </Link>
                  <Time at={approval.requested_at} />
                </li>
              ))}
              {review.count > 0 ? (
                <li>
                  <Link href="/review" className="row-main">
                    {count(review.count, 'note')} to review: disputed, or not confirmed by the code
                  </Link>
                </li>
              ) : null}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
