import { Link } from 'wouter';
import { useReview } from '../api/review.ts';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Time } from '../components/states.tsx';
import { askedFor, count } from '../format.ts';

/** What only a person can answer. */
export function Waiting() {
  const pending = useOperation('list_approvals', { status: 'pending' }, { everyMs: 4_000 });
  const review = useReview();
  return (
    <Card title="Waiting for you" aside={<Link href="/approvals">All approvals</Link>}>
      <Loaded query={pending} what="approvals">
        {({ approvals }) =>
          approvals.length + review.count === 0 ? (
            <Notice title="Nothing waits for an answer">
              When an agent asks to do something outside, or two notes contradict each other, it shows here.
            </Notice>
          ) : (
            <ul className="rows">
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
