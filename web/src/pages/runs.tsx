import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Notice, Page, Pill, Time } from '../components/states.tsx';
import { firstLine } from '../format.ts';
import { links } from '../links.ts';
import { NeedsYou } from '../runs/needs.tsx';
import { RunView } from '../runs/run-view.tsx';
import { stageOf } from '../runs/stage.ts';

export default function Runs() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const after = Number(params.get('after')) || undefined;
  if (id) return <RunView key={id} id={id} node={params.get('node')} until={after} />;
  return (
    <Page
      title="Runs"
      lead="Plans that agents work on, each node in a copy of the repository, judged by your own tools."
    >
      <div className="stack">
        <Propose />
        <Waiting />
        <List />
      </div>
    </Page>
  );
}

/** Nothing is started by it: the plan waits for approval. */
function Propose() {
  const propose = useAction('propose_run');
  const [task, setTask] = useState('');
  return (
    <>
      <form
        className="searchbar"
        onSubmit={(event) => {
          event.preventDefault();
          if (task.trim()) propose.mutate({ task: task.trim() }, { onSuccess: () => setTask('') });
        }}
      >
        <input
          aria-label="What should be done"
          placeholder="What should be done? The plan waits for you before anything starts."
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
        <button type="submit" className="primary" disabled={propose.isPending}>
          Propose
        </button>
      </form>
      {propose.error ? <Failure error={propose.error} /> : null}
    </>
  );
}

function Waiting() {
  const waiting = useOperation('list_waiting', {}, { everyMs: 3_000 });
  const needs = waiting.data?.waiting ?? [];
  if (needs.length === 0) return null;
  return (
    <Card title="Needs you" aside={<span className="muted">{needs.length}</span>}>
      {needs.map((need) => (
        <div key={need.id + need.run}>
          <p>
            <Link href={links.run(need.run)}>{firstLine(need.prompt)}</Link>
          </p>
          <NeedsYou need={need} />
        </div>
      ))}
    </Card>
  );
}

function List() {
  const runs = useOperation('list_runs', { limit: 50 }, { everyMs: 3_000 });
  return (
    <Card title="All runs">
      <Loaded query={runs} what="runs">
        {({ runs: found }) =>
          found.length === 0 ? (
            <Notice title="No runs yet">
              Start one in the terminal: <code>sylk run --from plan.yaml</code>, or propose one above.
            </Notice>
          ) : (
            <ul className="rows">
              {found.map(({ id, prompt, standing, updated_at }) => {
                const [text, tone] = stageOf(standing);
                return (
                  <li key={id}>
                    <Link href={links.run(id)} className="row-main">
                      {firstLine(prompt)}
                    </Link>
                    <Pill tone={tone}>{text}</Pill>
                    <Time at={updated_at} />
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
