import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAction, useBegin, useOperation } from '../api/use.ts';
import { Card, Chosen, Failure, Loaded, Loading, Notice, Page, Pill } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { firstLine } from '../format.ts';
import { links } from '../links.ts';
import type { WorkGraph } from '../work/dag-layout.ts';
import { criticalPath } from './critical-path.ts';
import { NeedsYou } from './needs.tsx';
import { NodeView } from './node-view.tsx';
import { PlanEditor } from './plan-editor.tsx';
import { ReviewStack } from './review.tsx';
import { costText, hasEnded, nodeFacts, type Run, stageOf } from './stage.ts';
import { useStory } from './use-story.ts';

const Dag = lazy(() => import('../work/dag.tsx'));

/** A run as it is, or as it was after some of its events. */
export function RunView({ id, node, until }: { id: string; node: string | null; until: number | undefined }) {
  const story = useStory(id);
  const run = useOperation(
    'get_run',
    { run: id, ...(until === undefined ? {} : { until }) },
    { everyMs: until === undefined ? 3_000 : 0, keep: true },
  );
  return (
    <Loaded
      query={run}
      what="the run"
      missing={
        <Page title="There is no such run">
          <Notice title="It may be of another repository">
            <Link href="/runs">All runs</Link>
          </Notice>
        </Page>
      }
    >
      {(found) => <Whole run={found} node={node} until={until} story={story} />}
    </Loaded>
  );
}

interface WholeParts {
  run: Run;
  node: string | null;
  until: number | undefined;
  story: readonly string[];
}

function Whole({ run, node, until, story }: WholeParts) {
  const [text, tone] = stageOf(run.standing);
  const chosen = run.nodes.find(({ id }) => id === node);
  return (
    <Page
      title={firstLine(run.prompt).slice(0, 120)}
      lead={
        <span className="meta">
          <Pill tone={tone}>{text}</Pill>
          <span className="muted">
            {costText(run)}
            {run.budget === undefined ? '' : `, budget $${run.budget.toFixed(2)}`}
            {run.branch ? `, branch ${run.branch}` : ''}
          </span>
        </span>
      }
    >
      <div className="stack">
        {run.error ? <p className="pre failure">{run.error}</p> : null}
        {until === undefined ? <Moves run={run} /> : null}
        {until === undefined ? <Budget run={run} /> : null}
        {until === undefined && run.needs_you.length > 0 ? (
          <Card title="Needs you">
            {run.needs_you.map((need) => (
              <NeedsYou key={need.id} need={{ ...need, run: run.run, prompt: run.prompt }} />
            ))}
          </Card>
        ) : null}
        <Order run={run} />
        <Replay run={run} node={node} until={until} story={story} />
        {until === undefined ? <PlanEditor run={run} /> : null}
        {chosen ? (
          <Chosen>
            <NodeView key={chosen.id} run={run} node={chosen} story={story} />
          </Chosen>
        ) : null}
        {until === undefined ? <ReviewStack run={run} /> : null}
        <Nodes run={run} />
        <Lines title="Judged by" lines={run.gates} />
        <Lines title="Changes to the judges, for you to look at" lines={run.review} />
        <Lines title="Lines that a merge left out" lines={run.lost_lines} />
        <Lines title="Left for later" lines={run.deferred} />
        <Story run={run} node={node} until={until} story={story} />
      </div>
    </Page>
  );
}

function Moves({ run }: { run: Run }) {
  const pause = useAction('pause_run');
  const stop = useAction('stop_run');
  const resume = useBegin('resume_run');
  const land = useBegin('land_run');
  const error = pause.error ?? stop.error ?? resume.error ?? land.error;
  const place = { run: run.run };
  const isHalted = ['stopped', 'suspended', 'approved', 'interrupted'].includes(run.standing);
  if (hasEnded(run.status) && run.status !== 'completed') return null;
  return (
    <>
      <p className="meta">
        {isHalted ? (
          <button
            type="button"
            className="primary"
            disabled={resume.isPending}
            onClick={() => resume.mutate(place)}
          >
            Go on
          </button>
        ) : null}
        {run.standing === 'running' ? (
          <button type="button" disabled={pause.isPending} onClick={() => pause.mutate(place)}>
            Pause
          </button>
        ) : null}
        {hasEnded(run.status) || run.standing === 'stopped' ? null : (
          <button type="button" disabled={stop.isPending} onClick={() => stop.mutate(place)}>
            Stop
          </button>
        )}
        {run.status === 'completed' && run.branch && !run.landed ? (
          <button
            type="button"
            className="primary"
            disabled={land.isPending}
            onClick={() => land.mutate(place)}
          >
            Judge it together with your branch
          </button>
        ) : null}
      </p>
      {run.landed ? (
        <p className="measure">
          Judged together with your branch. In the terminal: <code>git merge --ff-only {run.landed}</code>
        </p>
      ) : null}
      {error ? <Failure error={error} /> : null}
    </>
  );
}

/** The most that it may cost. A larger budget answers what waits because of the old one. */
function Budget({ run }: { run: Run }) {
  const set = useAction('set_run_budget');
  const [dollars, setDollars] = useState('');
  if (hasEnded(run.status)) return null;
  return (
    <form
      className="meta"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate({ run: run.run, dollars: Number(dollars) }, { onSuccess: () => setDollars('') });
      }}
    >
      <label className="meta">
        Budget in US dollars
        <input
          type="number"
          min="0.01"
          step="0.01"
          required
          value={dollars}
          placeholder={run.budget === undefined ? 'none' : run.budget.toFixed(2)}
          onChange={(event) => setDollars(event.target.value)}
        />
      </label>
      <button type="submit" disabled={set.isPending || dollars === ''}>
        Set the budget
      </button>
      {set.error ? <Failure error={set.error} /> : null}
    </form>
  );
}

/** The nodes in the order in which they can be done. */
function Order({ run }: { run: Run }) {
  const shape = JSON.stringify(run.nodes.map(({ id, stage, depends_on }) => [id, stage, depends_on]));
  const graph = useMemo(() => graphOf(JSON.parse(shape)), [shape]);
  const link = useMemo(() => (id: string) => links.run(run.run, id), [run.run]);
  if (run.nodes.length < 2) return null;
  const path = criticalPath(run.nodes);
  return (
    <Suspense fallback={<Loading what="the drawing" />}>
      <Dag graph={graph} link={link} />
      {path.length > 1 ? (
        <p className="muted small">
          Critical path, {path.length} of {run.nodes.length} nodes:{' '}
          {path.map((id, at) => (
            <span key={id}>
              {at > 0 ? ' → ' : ''}
              <Link href={links.run(run.run, id)}>{id}</Link>
            </span>
          ))}
        </p>
      ) : null}
    </Suspense>
  );
}

const graphOf = (nodes: Array<[id: string, stage: string, after: string[]]>): WorkGraph => ({
  project: '',
  total: nodes.length,
  nodes: nodes.map(([id, stage]) => ({
    id,
    kind: 'task',
    name: id,
    status: stage,
    priority: 'MEDIUM',
    featureId: null,
    blocked: stage === 'asking',
    claimedBy: null,
  })),
  edges: nodes.flatMap(([to, , after]) => after.map((from) => ({ from, to, type: 'BLOCKS' as const }))),
});

function Nodes({ run }: { run: Run }) {
  return (
    <Card title="Nodes" aside={<span className="muted">{run.nodes.length}</span>}>
      <ul className="rows">
        {run.nodes.map((node) => {
          const [text, tone] = stageOf(node.stage);
          return (
            <li key={node.id}>
              <Link href={links.run(run.run, node.id)} className="row-main">
                <strong>
                  {node.number}. {node.id}
                </strong>
                <span className="muted">{firstLine(node.error ?? node.prompt).slice(0, 160)}</span>
              </Link>
              <span className="muted small">{node.files.slice(0, 3).join(', ')}</span>
              <span className="muted small">{nodeFacts(node)}</span>
              <Pill tone={tone}>{text}</Pill>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <Card title={title} aside={<span className="muted">{lines.length}</span>}>
      <ul className="rows">
        {lines.slice(0, 100).map((line) => (
          <li key={line} className="pre">
            {line}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The run as it was after any of its events. */
function Replay({ run, node, until, story }: WholeParts) {
  const [, navigate] = useLocation();
  const [held, hold] = useState<number>();
  const last = Math.max(run.number, story.length);
  const at = held ?? until ?? last;
  // A slider that is dragged asks for the run where it rests, not at every place that it passes.
  useEffect(() => {
    if (held === undefined) return;
    const rest = setTimeout(() => {
      navigate(links.run(run.run, node ?? undefined, held >= last ? undefined : held), { replace: true });
      hold(undefined);
    }, 200);
    return () => clearTimeout(rest);
  }, [held, last, navigate, node, run.run]);
  return (
    <div className="meta replay">
      <label className="meta">
        <span>As it was after event {at}</span>
        <input
          type="range"
          min={1}
          max={last}
          value={at}
          onChange={(event) => hold(Number(event.target.value))}
        />
      </label>
      {until === undefined ? (
        <a href="#story">Story</a>
      ) : (
        <Link href={links.run(run.run, node ?? undefined)}>Back to now</Link>
      )}
    </div>
  );
}

/** Every event as a sentence. */
function Story({ run, node, until, story }: WholeParts) {
  const shown = useMemo(
    () =>
      story
        .slice(0, until)
        .map((text, place) => ({ number: place + 1, text }))
        .reverse(),
    [story, until],
  );
  return (
    <div id="story">
      <Card title="Story" aside={<span className="muted">{story.length} events</span>}>
        <VirtualList
          items={shown}
          label="Events, latest first"
          className="rows story"
          keyOf={({ number }) => String(number)}
        >
          {({ number, text }) => (
            <>
              <Link href={links.run(run.run, node ?? undefined, number)}>{number}</Link>
              <span className="pre row-main">{text}</span>
            </>
          )}
        </VirtualList>
      </Card>
    </div>
  );
}
