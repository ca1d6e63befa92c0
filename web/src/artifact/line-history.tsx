import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Time } from '../components/states.tsx';
import { firstLine } from '../format.ts';
import { links } from '../links.ts';

/** Which commits wrote a line, newest first. */
export function LineHistory({ path, line }: { path: string; line: number }) {
  const provenance = useOperation('get_provenance', { path: `${path}:${line}`, limit: 1 });
  return (
    <Card title={`Line ${line}`}>
      <Loaded
        query={provenance}
        what="the history of the line"
        missing={<p className="muted">No commit has it yet.</p>}
      >
        {({ line: found }) => (
          <>
            {found?.uncommitted ? <p className="muted">Changed and not committed yet.</p> : null}
            <ol className="timeline">
              {found?.commits.map(({ commit, message, author, timestamp }) => (
                <li key={commit}>
                  <Link href={links.commit(commit)}>{firstLine(message)}</Link>
                  <p className="muted">
                    {author} · <Time at={timestamp} /> · <code>{commit.slice(0, 10)}</code>
                  </p>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </Card>
  );
}
