import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Loading, Notice } from '../components/states.tsx';
import { links } from '../links.ts';
import { LatestCommits } from './latest-commits.tsx';

const ChurnMap = lazy(async () => ({ default: (await import('../components/treemap.tsx')).ChurnMap }));

/** The latest commits, whatever was seen before: no commit has this name. Agents keep their own place. */
const useSummary = () => useOperation('get_repository_summary', { since: '0'.repeat(40), remember: false });

export function Changes() {
  const summary = useSummary();
  return (
    <Card title="Recent changes">
      <Loaded query={summary} what="what changed">
        {({ changes, commits, artifacts_alive, tags }) => (
          <>
            <p className="figures">
              <span>
                <strong>{commits.toLocaleString('en')}</strong> commits
              </span>
              <span>
                <strong>{artifacts_alive.toLocaleString('en')}</strong> files
              </span>
              {tags > 0 ? (
                <span>
                  <strong>{tags.toLocaleString('en')}</strong> tags
                </span>
              ) : null}
            </p>
            {changes.subjects.length === 0 ? (
              <Notice title={commits === 0 ? 'No commits read yet' : 'Nothing changed yet'}>
                {commits === 0
                  ? 'Press “Read again” to read the history.'
                  : 'New commits appear here by themselves.'}
              </Notice>
            ) : (
              <LatestCommits lines={changes.subjects} />
            )}
            {changes.files.length > 0 ? (
              <div>
                <h3 className="small-head">Touched most by these</h3>
                <ul className="files">
                  {changes.files.slice(0, 6).map((path) => (
                    <li key={path}>
                      <Link href={links.artifact(path)} className="path">
                        {path}
                      </Link>
                    </li>
                  ))}
                </ul>
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

export function Churn() {
  const summary = useSummary();
  return (
    <Card title="Most active areas" aside={<span className="muted">latest 200 commits</span>}>
      <Loaded query={summary} what="the areas">
        {({ hottest }) =>
          hottest.length === 0 ? (
            <Notice title="No activity read yet">
              Once the history is read, the busiest folders show here.
            </Notice>
          ) : (
            <Suspense fallback={<Loading what="the map" />}>
              <ChurnMap areas={hottest} />
            </Suspense>
          )
        }
      </Loaded>
    </Card>
  );
}
