import { useOperation } from '../api/use.ts';
import { Card, Loaded } from '../components/states.tsx';

const dollars = (usd: number): string => `$${usd.toFixed(2)}`;

/** What calls to models may cost in this repository, and what they have cost. */
export function Budgets() {
  const budgets = useOperation('list_budgets', {});
  return (
    <Card title="Budgets of this repository">
      <Loaded query={budgets} what="budgets">
        {({ budgets: all }) =>
          all.length === 0 ? (
            <p className="muted">
              No budget. Set one for each day: <code>sylk budget set day 20</code>
            </p>
          ) : (
            <ul className="rows">
              {all.map(({ scope, name, usd, tokens, used_usd }) => (
                <li key={`${scope} ${name}`}>
                  <span className="row-main">{name === '' ? `each ${scope}` : `${scope} ${name}`}</span>
                  <span className="muted">
                    {usd === undefined ? `${tokens ?? 0} tokens` : dollars(usd)}
                    {used_usd === undefined ? '' : `, ${dollars(used_usd)} used`}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
