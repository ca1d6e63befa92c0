import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Coverage } from '../areas/coverage.tsx';
import { AreaEditor } from '../areas/editor.tsx';
import { AreaKnowledge } from '../components/area-knowledge.tsx';
import { OfProject } from '../components/of-project.tsx';
import { Card, Chosen, Loaded, Notice, Page, Pill, Time } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

export default function Areas() {
  const [params] = useSearchParams();
  const id = params.get('id');
  // A link from elsewhere names the area only.
  const located = useOperation(
    'get_area',
    { type: 'atom', id: id ?? '' },
    { enabled: id !== null && params.get('project') === null },
  );
  return (
    <Page title="Areas" lead="Notes on parts of the tree: what a file cannot say about itself.">
      <OfProject
        what="areas"
        first={located.data?.data?.atom?.projectId}
        none={
          <Notice title="No areas yet">
            Run <code>sylk init</code> to begin, then <code>sylk areas suggest</code> for a first cut from how
            your files change together.
          </Notice>
        }
      >
        {(project) => <AreasOfProject key={project.id} projectId={project.id} id={id} />}
      </OfProject>
    </Page>
  );
}

function AreasOfProject({ projectId, id }: { projectId: string; id: string | null }) {
  const areas = useOperation('list_areas', { project_id: projectId, max_tokens: 20_000 });
  const chosen = areas.data?.data?.areas?.find((area) => area.id === id);
  return (
    <div className={chosen ? 'split lifts' : 'split'}>
      <div className="stack">
        <Card title="All areas">
          <Loaded query={areas} what="areas">
            {({ data: { areas: listed = [], total = 0 } = {} }) =>
              listed.length === 0 ? (
                <Notice title="No areas yet">
                  Run <code>sylk areas suggest</code> for a first cut from how your files change together.
                </Notice>
              ) : (
                <>
                  <VirtualList items={listed} label="Areas" keyOf={(area) => area.id}>
                    {(area) => (
                      <>
                        <Link
                          href={links.area(area.id, projectId)}
                          className={area.moleculeId ? 'row-main depth-1' : 'row-main'}
                          {...(area.id === id ? { 'aria-current': 'true' as const } : {})}
                        >
                          <strong>{area.name}</strong>
                          <span className="muted path">{area.paths.join(', ')}</span>
                        </Link>
                        <Pill>{area.kind === 'molecule' ? 'group' : 'area'}</Pill>
                      </>
                    )}
                  </VirtualList>
                  {listed.length < total ? (
                    <p className="muted">
                      {listed.length} of {count(total, 'area')}; search finds the others.
                    </p>
                  ) : null}
                </>
              )
            }
          </Loaded>
        </Card>
        <Coverage projectId={projectId} />
      </div>
      <div className="stack">
        {chosen ? (
          <Chosen key={chosen.id}>
            <Knowledge id={chosen.id} kind={chosen.kind} name={chosen.name} />
          </Chosen>
        ) : null}
        <Stale projectId={projectId} />
        <Suggested projectId={projectId} />
      </div>
    </div>
  );
}

function Knowledge({ id, kind, name }: { id: string; kind: 'atom' | 'molecule'; name: string }) {
  const found = useOperation('get_area', { type: kind, id });
  const [editing, setEditing] = useState(false);
  if (editing) return <AreaEditor id={id} kind={kind} onClose={() => setEditing(false)} />;
  return (
    <Card
      title={name}
      aside={
        <span className="meta">
          <Link href={links.graph(`${kind}:${id}`)}>Related items</Link>
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
              <AreaKnowledge atom={area} unnamed />
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

function Stale({ projectId }: { projectId: string }) {
  const stale = useOperation('get_stale_areas', { project_id: projectId });
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
                  <Link href={links.area(atom.id, projectId)} className="row-main">
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

/** The folder of a pattern such as `src/base/**`. */
const folderOf = (pattern: string): string => pattern.replace(/\/?[^/]*[*{[].*$/, '').replace(/\/$/, '');

function Suggested({ projectId }: { projectId: string }) {
  const found = useOperation('suggest_areas', { project_id: projectId, limit: 5 });
  return (
    <Card title="Where knowledge is missing">
      <Loaded query={found} what="suggestions">
        {({ data }) =>
          !data || data.suggestions.length === 0 ? (
            <p className="muted">Every folder with more than a few files is covered.</p>
          ) : (
            <ul className="rows" aria-label="Folders without an area, busiest first">
              {data.suggestions.map((one) => (
                <li key={one.paths.join()}>
                  <span className="row-main">
                    <Link href={links.whole({ folder: folderOf(one.paths[0] ?? '') })}>
                      <strong className="path">{folderOf(one.paths[0] ?? '') || 'top level'}</strong>
                    </Link>
                    <span className="muted">
                      {count(one.files, 'file')} that no area covers, in {count(one.commits, 'recent commit')}
                    </span>
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
