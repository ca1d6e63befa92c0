import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Coverage } from '../areas/coverage.tsx';
import { AreaEditor } from '../areas/editor.tsx';
import { AreaKnowledge } from '../components/area-knowledge.tsx';
import { Card, Loaded, Notice, Page, Pill, Time } from '../components/states.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

export default function Areas() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const areas = useOperation('list_areas', { max_tokens: 20_000 });
  const chosen = areas.data?.data?.areas.find((area) => area.id === id);
  return (
    <Page title="Areas" lead="Notes on parts of the tree: what a file cannot say about itself.">
      <div className="split">
        <div className="stack">
          <Card title="All areas">
            <Loaded query={areas} what="areas">
              {({ data }) =>
                !data || data.areas.length === 0 ? (
                  <Notice title="No areas yet">
                    Run <code>sylk areas suggest</code> for a first cut from how your files change together.
                  </Notice>
                ) : (
                  <>
                    <ul className="rows">
                      {data.areas.map((area) => (
                        <li key={area.id} className={area.moleculeId ? 'indented' : ''}>
                          <Link
                            href={links.area(area.id)}
                            className="row-main"
                            {...(area.id === id ? { 'aria-current': 'true' as const } : {})}
                          >
                            <strong>{area.name}</strong>
                            <span className="muted path">{area.paths.join(', ')}</span>
                          </Link>
                          <Pill>{area.kind === 'molecule' ? 'group' : 'area'}</Pill>
                        </li>
                      ))}
                    </ul>
                    {data.areas.length < data.total ? (
                      <p className="muted">
                        {data.areas.length} of {count(data.total, 'area')}; search finds the others.
                      </p>
                    ) : null}
                  </>
                )
              }
            </Loaded>
          </Card>
          <Coverage />
        </div>
        <div className="stack">
          {chosen ? <Knowledge key={chosen.id} id={chosen.id} kind={chosen.kind} /> : null}
          <Stale />
          <Suggested />
        </div>
      </div>
    </Page>
  );
}

function Knowledge({ id, kind }: { id: string; kind: 'atom' | 'molecule' }) {
  const found = useOperation('query_graph', { operation: 'get', entityType: kind, id });
  const [editing, setEditing] = useState(false);
  if (editing) return <AreaEditor id={id} kind={kind} onClose={() => setEditing(false)} />;
  return (
    <Card
      title="What is known"
      aside={
        <span className="meta">
          <Link href={links.graph(`${kind}:${id}`)}>What is around it</Link>
          <button type="button" onClick={() => setEditing(true)}>
            Edit
          </button>
        </span>
      }
    >
      <Loaded query={found} what="the area">
        {({ data }) => {
          const area = data?.atom ?? data?.molecule;
          return area ? (
            <>
              <AreaKnowledge atom={area} />
              <p className="muted">
                Version {area.version}, changed <Time at={area.updatedAt} />
              </p>
            </>
          ) : (
            <Notice title="There is no such area">It may have been removed.</Notice>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Stale() {
  const stale = useOperation('get_stale_areas', {});
  return (
    <Card title="Stale areas">
      <Loaded query={stale} what="stale areas">
        {({ data }) =>
          !data || data.atoms.length === 0 ? (
            <Notice title="Nothing is stale">
              An area turns stale when its files change and its text does not.
            </Notice>
          ) : (
            <ul className="rows">
              {data.atoms.map((atom) => (
                <li key={atom.id}>
                  <Link href={links.area(atom.id)} className="row-main">
                    <strong>{atom.name}</strong>
                    <span className="muted">{atom.staleness.latest[0]?.subject}</span>
                  </Link>
                  <Pill tone="warn">{count(atom.staleness.commits, 'commit')} since</Pill>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Suggested() {
  const found = useOperation('suggest_areas', { limit: 5 });
  return (
    <Card title="Where knowledge is missing">
      <Loaded query={found} what="suggestions">
        {({ data }) =>
          !data || data.suggestions.length === 0 ? (
            <p className="muted">Every folder with more than a few files is covered.</p>
          ) : (
            <ul className="rows">
              {data.suggestions.map((one) => (
                <li key={one.paths.join()}>
                  <span className="row-main">
                    <strong>{one.name}</strong>
                    <span className="muted">{one.reason}</span>
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
