import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Failure, Loading, Notice } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';
import type { Drawn } from './shape.ts';
import { useWhole } from './use-whole.ts';
import type { Circle } from './whole.ts';

const Drawing = lazy(() => import('./drawing.tsx'));

/** So many circles can still be told apart and named. */
const readable = 600;

/** All files at once: folders as circles that open, or every file. */
export default function WholeView({
  folder,
  every,
  asList,
}: {
  folder: string;
  every: boolean;
  asList: boolean;
}) {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<string>();
  const map = useOperation('get_repository_map', { limit: 60_000, links: 60_000 }, { calm: true });
  const placed = useWhole(map.data, folder, every ? Number.MAX_SAFE_INTEGER : readable);
  const drawn = useMemo<Drawn | undefined>(
    () => placed && { ...placed, nodes: placed.circles, scaled: true },
    [placed],
  );
  if (map.error) return <Failure error={map.error} />;
  if (!placed || !drawn) return <Loading what="the map" />;
  if (placed.circles.length === 0)
    return (
      <Notice title="No files are known yet">
        Run <code>sylk index</code>, or press “Read again” on Home.
      </Notice>
    );
  const open = (circle: Circle) =>
    circle.kind === 'folder'
      ? links.whole({ folder: circle.id.slice('folder:'.length), every, list: asList })
      : links.graph(circle.id);
  const chosen = placed.circles.find(({ id }) => id === selected);
  return (
    <>
      <p className="meta above" role="status">
        <Crumbs folder={folder} every={every} list={asList} />
        <span className="muted">
          {count(
            placed.circles.reduce((sum, circle) => sum + circle.files, 0),
            'file',
          )}{' '}
          in {count(placed.circles.length, 'circle')}, {count(placed.links.length, 'link')}
        </span>
      </p>
      {asList ? (
        <div className="card">
          <VirtualList
            items={placed.circles.toSorted((a, b) => b.commits - a.commits)}
            label="Files and folders"
            keyOf={({ id }) => id}
          >
            {(circle) => (
              <>
                <Link href={open(circle)} className="row-main path">
                  {circle.id.slice(circle.id.indexOf(':') + 1)}
                  {circle.kind === 'folder' ? '/' : ''}
                </Link>
                <span className="muted">
                  {circle.kind === 'folder' ? `${count(circle.files, 'file')}, ` : ''}
                  {count(circle.commits, 'commit')}
                </span>
              </>
            )}
          </VirtualList>
        </div>
      ) : (
        <div className="graph-stage">
          <Suspense fallback={<Loading what="the drawing" />}>
            <Drawing
              drawn={drawn}
              selected={selected}
              label="Map of all files by folder"
              onSelect={(id) => {
                const circle = placed.circles.find((each) => each.id === id);
                if (circle && id === selected) navigate(open(circle));
                else setSelected(id);
              }}
            />
          </Suspense>
          {chosen ? (
            <p className="graph-chosen">
              <span className="path">{chosen.id.slice(chosen.id.indexOf(':') + 1)}</span>
              <span className="muted">
                {count(chosen.files, 'file')}, {count(chosen.commits, 'commit')}
              </span>
              <Link href={open(chosen)}>
                {chosen.kind === 'folder' ? 'Open the folder' : 'Related items'}
              </Link>
            </p>
          ) : (
            <ul className="legend" aria-label="What the drawing shows">
              <li>A colour for each folder</li>
              <li>larger: more commits</li>
              <li>
                <span className="dash link-imports" aria-hidden="true" /> imports
              </li>
              <li>
                <span className="dash link-changes_with" aria-hidden="true" /> changes with
              </li>
            </ul>
          )}
        </div>
      )}
    </>
  );
}

function Crumbs({ folder, every, list }: { folder: string; every: boolean; list: boolean }) {
  const segments = folder === '' ? [] : folder.split('/');
  return (
    <nav aria-label="Folder" className="crumbs">
      <Link href={links.whole({ folder: '', every, list })}>all files</Link>
      {segments.map((name, at) => (
        <Link
          key={segments.slice(0, at + 1).join('/')}
          href={links.whole({ folder: segments.slice(0, at + 1).join('/'), every, list })}
        >
          / {name}
        </Link>
      ))}
    </nav>
  );
}
