import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { useAction, useOperation } from '../api/use.ts';
import {
  Card,
  Failure,
  Loaded,
  Loading,
  Notice,
  Page,
  Pill,
  Time,
  type Tone,
} from '../components/states.tsx';
import { askedFor, count } from '../format.ts';
import { links } from '../links.ts';
import { isFinished, statusTone, statusWords } from '../work/status.ts';

const ChurnMap = lazy(async () => ({ default: (await import('../components/treemap.tsx')).ChurnMap }));

const tones: Record<string, Tone> = {
  fresh: 'good',
  ready: 'good',
  behind: 'warn',
  stale: 'warn',
  indexing: 'warn',
  updating: 'warn',
};

export function Home() {
  const status = useOperation('get_status', {}, { everyMs: 5_000 });
  const name = status.data?.repository.split('/').at(-1) ?? 'Home';
  return (
    <Page title={name} lead={status.data ? <span className="path">{status.data.repository}</span> : null}>
      <div className="grid">
        <div className="stack">
          <Changes />
          <Churn />
        </div>
        <div className="stack">
          <Approvals />
          <InProgress />
          <Indexes />
        </div>
      </div>
    </Page>
  );
}

/** The latest commits, whatever was seen before: no commit has this name. Agents keep their own place. */
const useSummary = () => useOperation('get_repository_summary', { since: '0'.repeat(40), remember: false });

function Indexes() {
  const status = useOperation('get_status', {}, { everyMs: 5_000 });
  const index = useAction('index_repository');
  return (
    <Card
      title="What Sylk knows"
      aside={
        <button type="button" disabled={index.isPending} onClick={() => index.mutate({})}>
          {index.isPending ? 'Reading…' : 'Read again'}
        </button>
      }
    >
      {index.error ? <Failure error={index.error} /> : null}
      <Loaded query={status} what="the state">
        {({ indexes, notices }) => (
          <>
            <ul className="rows">
              {indexes.map((entry) => (
                <li key={entry.source}>
                  <span className="row-main">
                    <strong>{entry.source}</strong>
                    <span className="muted">{entry.detail}</span>
                  </span>
                  <Pill tone={tones[entry.state] ?? 'plain'}>{entry.state}</Pill>
                </li>
              ))}
            </ul>
            {notices.map((notice) => (
              <p key={notice} className="muted">
                {notice}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Changes() {
  const summary = useSummary();
  return (
    <Card title="What changed lately">
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
              <span>
                <strong>{tags.toLocaleString('en')}</strong> tags
              </span>
            </p>
            {changes.subjects.length === 0 ? (
              <Notice title={commits === 0 ? 'No commits read yet' : 'Nothing changed yet'}>
                {commits === 0
                  ? 'Press “Read again” to read the history.'
                  : 'New commits appear here by themselves.'}
              </Notice>
            ) : (
              <ul className="rows">
                {changes.subjects.slice(0, 8).map((line) => {
                  const [sha = '', ...words] = line.split(' ');
                  return (
                    <li key={line}>
                      <Link href={links.commit(sha)} className="row-main">
                        {words.join(' ')}
                      </Link>
                      <code className="muted">{sha}</code>
                    </li>
                  );
                })}
              </ul>
            )}
            {changes.files.length > 0 ? (
              <p className="files">
                {changes.files.slice(0, 6).map((path) => (
                  <Link key={path} href={links.artifact(path)} className="path">
                    {path}
                  </Link>
                ))}
              </p>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Churn() {
  const summary = useSummary();
  return (
    <Card title="Hottest areas">
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

function Approvals() {
  const pending = useOperation('list_approvals', { status: 'pending' }, { everyMs: 4_000 });
  return (
    <Card title="Waiting for you" aside={<Link href="/approvals">All approvals</Link>}>
      <Loaded query={pending} what="approvals">
        {({ approvals }) =>
          approvals.length === 0 ? (
            <Notice title="Nothing waits for an answer">
              When an agent asks to do something outside, it shows here.
            </Notice>
          ) : (
            <ul className="rows">
              {approvals.slice(0, 5).map((approval) => (
                <li key={approval.id}>
                  <Link href="/approvals" className="row-main">
                    {askedFor(approval.prompt)}
                  </Link>
                  <Time at={approval.requested_at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function InProgress() {
  const board = useOperation('get_work_board', { limit: 6 }, { everyMs: 10_000 });
  return (
    <Card title="Work in progress" aside={<Link href="/work">The board</Link>}>
      <Loaded query={board} what="work">
        {({ data }) => {
          const tasks = (data?.columns ?? [])
            .filter((column) => !isFinished(column.status))
            .flatMap((column) => column.tasks);
          if (tasks.length === 0)
            return (
              <Notice title="No open tasks">
                An agent makes them with <code>create_work_tree</code>, you with <code>sylk work</code>.
              </Notice>
            );
          return (
            <ul className="rows">
              {tasks.slice(0, 6).map((task) => (
                <li key={task.id}>
                  <Link href={links.work(task.id)} className="row-main">
                    {task.title}
                  </Link>
                  <Pill tone={statusTone(task.status)}>{statusWords(task.status)}</Pill>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <p className="muted">
        {count(board.data?.data?.columns.reduce((sum, column) => sum + column.total, 0) ?? 0, 'task')} in all
      </p>
    </Card>
  );
}
