import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { AreaKnowledge } from '../components/area-knowledge.tsx';
import { Card, Loaded, Notice, Page, Pill } from '../components/states.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

export default function Areas() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const areas = useOperation('list_areas', {});
  const chosen = areas.data?.data?.areas.find((area) => area.id === id);
  return (
    <Page title="Areas" lead="Notes on parts of the tree: what a file cannot say about itself.">
      <div className="split">
        <Card title="All areas">
          <Loaded query={areas} what="areas">
            {({ data }) =>
              !data || data.areas.length === 0 ? (
                <Notice title="No areas yet">
                  Run <code>sylk areas suggest</code> for a first cut from how your files change together.
                </Notice>
              ) : (
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
              )
            }
          </Loaded>
        </Card>
        <div className="stack">
          {chosen ? <Knowledge id={chosen.id} kind={chosen.kind} /> : null}
          <Stale />
        </div>
      </div>
    </Page>
  );
}

function Knowledge({ id, kind }: { id: string; kind: 'atom' | 'molecule' }) {
  const found = useOperation('query_graph', { operation: 'get', entityType: kind, id });
  return (
    <Card title="What is known">
      <Loaded query={found} what="the area">
        {({ data }) => {
          const area = data?.atom ?? data?.molecule;
          return area ? (
            <AreaKnowledge atom={area} />
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
