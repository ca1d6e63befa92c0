import { useState } from 'react';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice } from '../components/states.tsx';
import { count } from '../format.ts';

interface Folder {
  path: string;
  files: number;
  covered: number;
  stale: number;
}

const share = (part: number, all: number): number => (all === 0 ? 0 : Math.round((part / all) * 100));

/** How much of the tree some area knows: one bar a folder, opened one level at a time. */
export function Coverage({ projectId }: { projectId: string }) {
  const coverage = useOperation('get_area_coverage', { project_id: projectId, depth: 4, max_tokens: 20_000 });
  return (
    <Card title="Coverage of the tree">
      <Loaded query={coverage} what="the coverage">
        {({ data }) =>
          !data || data.files === 0 ? (
            <Notice title="No files to cover yet">Commit some, and the folders show here.</Notice>
          ) : (
            <>
              <p className="figures">
                <span>
                  <strong>{share(data.covered, data.files)} %</strong> of {count(data.files, 'file')} known
                </span>
                {data.stale > 0 ? (
                  <span>
                    <strong>{data.stale}</strong> by stale areas only
                  </span>
                ) : null}
              </p>
              <Folders folders={data.folders} parent="" />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Folders({ folders, parent }: { folders: Folder[]; parent: string }) {
  const prefix = parent === '' ? '' : `${parent}/`;
  const inside = folders
    .filter(({ path }) => path !== '' && path.startsWith(prefix) && !path.slice(prefix.length).includes('/'))
    .filter(({ path }) => path !== parent)
    .toSorted((a, b) => b.files - a.files);
  return (
    <ul className="coverage" aria-label={parent === '' ? 'Folders' : `Folders of ${parent}`}>
      {inside.map((folder) => (
        <FolderRow key={folder.path} folder={folder} folders={folders} />
      ))}
    </ul>
  );
}

function FolderRow({ folder, folders }: { folder: Folder; folders: Folder[] }) {
  const [open, setOpen] = useState(false);
  const name = folder.path.slice(folder.path.lastIndexOf('/') + 1);
  const deeper = folders.some(({ path }) => path.startsWith(`${folder.path}/`));
  const fresh = folder.covered - folder.stale;
  const said = `${folder.covered} of ${folder.files} known${folder.stale > 0 ? `, ${folder.stale} stale` : ''}`;
  return (
    <li>
      <div className="coverage-row">
        {deeper ? (
          <button type="button" className="link path" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? '▾' : '▸'} {name}/
          </button>
        ) : (
          <span className="path">{name}/</span>
        )}
        <span className="bar" aria-hidden="true">
          <span className="bar-good" style={{ width: `${share(fresh, folder.files)}%` }} />
          <span className="bar-warn" style={{ width: `${share(folder.stale, folder.files)}%` }} />
        </span>
        <span className="muted">{said}</span>
      </div>
      {open ? <Folders folders={folders} parent={folder.path} /> : null}
    </li>
  );
}
