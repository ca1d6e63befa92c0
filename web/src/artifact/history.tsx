import { useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Pill, Tags, Time } from '../components/states.tsx';
import { count, firstLine, sentence } from '../format.ts';
import { links } from '../links.ts';

type Provenance = Output<'get_provenance'>;

/** The commits of a file, grouped by why they were made, newest first. */
export function History({ path }: { path: string }) {
  const provenance = useOperation('get_provenance', { path, limit: 200 });
  return (
    <Card title="History">
      <Loaded query={provenance} what="the history" missing={<p className="muted">No commits yet.</p>}>
        {(found) =>
          found.commits.length === 0 ? (
            <Notice title="No commits for this file yet">Commit it to start its history.</Notice>
          ) : (
            <>
              {found.decisions.map(({ ref, title }) => (
                <p key={ref}>
                  Decided: <Link href={links.entry(ref.replace(/^entry:/, ''))}>{title}</Link>
                </p>
              ))}
              {found.reasons.map((reason) => (
                <Reason key={reason.reason + reason.commits[0]} reason={reason} {...{ path, found }} />
              ))}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

const few = 4;

function Reason(props: { reason: Provenance['reasons'][number]; path: string; found: Provenance }) {
  const { reason, path, found } = props;
  const [all, setAll] = useState(false);
  const commits = reason.commits.flatMap((sha) => found.commits.filter(({ commit }) => commit === sha));
  const shown = all ? commits : commits.slice(0, few);
  return (
    <section aria-label={reason.reason}>
      <h3 className="small-head">
        {sentence(reason.reason)} <span className="muted">{count(commits.length, 'commit')}</span>
      </h3>
      {reason.issues.length > 0 ? (
        <p className="meta">
          {reason.issues.slice(0, 8).map((issue) => (
            <Pill key={issue}>{issue}</Pill>
          ))}
        </p>
      ) : null}
      <ol className="timeline">
        {shown.map((commit) => (
          <li key={commit.commit}>
            <Link href={links.commit(commit.commit)}>{firstLine(commit.message)}</Link>
            <p className="muted">
              {commit.author} · <Time at={commit.timestamp} /> · <code>{commit.commit.slice(0, 10)}</code>
            </p>
            {commit.path && commit.path !== path ? <p className="muted">as {commit.path}</p> : null}
            <Tags tags={commit.tags_at_commit} />
          </li>
        ))}
      </ol>
      {commits.length > shown.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show {commits.length - shown.length} more
        </button>
      ) : null}
    </section>
  );
}
