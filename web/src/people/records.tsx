import { useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Pill, Time } from '../components/states.tsx';

/** Who wrote, decided or was refused what, and whether the chain of records is whole. */
export function Records() {
  const records = useOperation('list_audit', { limit: 50 }, { calm: true });
  const check = useOperation('verify_audit', {}, { calm: true });
  return (
    <Card
      title="Audit"
      aside={
        check.data ? (
          <Pill tone={check.data.problem ? 'bad' : 'good'}>
            {check.data.problem ?? `${check.data.records} records, none changed`}
          </Pill>
        ) : null
      }
    >
      {check.error ? <Failure error={check.error} /> : null}
      <Loaded query={records} what="records">
        {({ records: all }) =>
          all.length === 0 ? (
            <p className="muted">
              Nothing is recorded yet. What members write appears here; <code>sylk audit export</code> saves
              it.
            </p>
          ) : (
            <ul className="rows">
              {all.map((record) => (
                <li key={record.seq}>
                  <span className="row-main">
                    {record.name}
                    {record.person ? ` for ${record.person}` : ''}: {record.operation.replaceAll('_', ' ')}
                    <span className="muted">{record.note}</span>
                  </span>
                  {record.outcome === 'began' ? null : <Pill tone="bad">{record.outcome}</Pill>}
                  <Time at={record.at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
