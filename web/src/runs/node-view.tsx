import { useState } from 'react';
import { Link } from 'wouter';
import { usePages } from '../api/pages.ts';
import { useAction, useOperation } from '../api/use.ts';
import { Diff } from '../components/diff.tsx';
import { Card, Failure, Loaded, Loading, Pill, Time } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { links } from '../links.ts';
import { nodeFacts, type Run, type RunNode, stageOf } from './stage.ts';

/** One node of a run: what it is to do, what it did, and every step of its agent. */
export function NodeView({ run, node, story }: { run: Run; node: RunNode; story: readonly string[] }) {
  const [text, tone] = stageOf(node.stage);
  return (
    <div className="stack">
      <Card title={`${node.number}. ${node.id}`} aside={<Link href={links.run(run.run)}>Close</Link>}>
        <p className="meta">
          <Pill tone={tone}>{text}</Pill>
          <span className="muted">
            {node.agent}
            {node.depends_on.length > 0 ? `, after ${node.depends_on.join(', ')}` : ''}
            {sentBack(node)}
          </span>
          <span className="muted">{nodeFacts(node)}</span>
        </p>
        <p className="pre measure">{node.prompt}</p>
        {node.error ? <p className="pre failure">{node.error}</p> : null}
        {node.output ? <p className="pre measure">{node.output}</p> : null}
        <NodeMoves run={run} node={node} />
      </Card>
      <Judged node={node.id} story={story} />
      {node.commit ? <Changed run={run.run} node={node.id} commit={node.commit} /> : null}
      <Transcript run={run.run} node={node.id} />
    </div>
  );
}

/** Findings, tests, messages and what became of them, as the run tells it. */
function Judged({ node, story }: { node: string; story: readonly string[] }) {
  const own = story.flatMap((text, at) => (text.includes(`  ${node}: `) ? [{ number: at + 1, text }] : []));
  own.reverse();
  if (own.length === 0) return null;
  return (
    <Card title="Findings, tests and messages" aside={<span className="muted">{own.length}</span>}>
      <VirtualList
        items={own}
        label={`What happened to ${node}, latest first`}
        className="rows story"
        keyOf={({ number }) => String(number)}
      >
        {({ text }) => <span className="pre">{text}</span>}
      </VirtualList>
    </Card>
  );
}

function sentBack({ loops }: RunNode): string {
  const judges = Object.entries(loops).flatMap(([judge, times]) =>
    times > 0 ? [`${judge} ${times} ×`] : [],
  );
  return judges.length > 0 ? `, sent back by ${judges.join(', ')}` : '';
}

function NodeMoves({ run, node }: { run: Run; node: RunNode }) {
  const message = useAction('message_run');
  const override = useAction('override_node');
  const drop = useAction('drop_node');
  const retry = useAction('retry_node');
  const [words, setWords] = useState('');
  const place = { run: run.run, node: node.id };
  const isOver = run.status === 'completed' || run.status === 'cancelled';
  const judge = node.stage === 'inspecting' ? 'inspector' : node.stage === 'testing' ? 'tester' : undefined;
  const error = message.error ?? override.error ?? drop.error ?? retry.error;
  return (
    <>
      {isOver ? null : (
        <form
          className="searchbar"
          onSubmit={(event) => {
            event.preventDefault();
            if (words.trim() === '') return;
            if (node.stage === 'failed') retry.mutate({ ...place, message: words.trim() });
            else message.mutate({ ...place, message: words.trim() });
            setWords('');
          }}
        >
          <input
            aria-label={`A word to ${node.id}`}
            placeholder="A word to its engineer"
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <button type="submit">{node.stage === 'failed' ? 'Try again' : 'Send'}</button>
        </form>
      )}
      <p className="meta">
        {judge ? (
          <button type="button" className="link" onClick={() => override.mutate({ ...place, gate: judge })}>
            Let it pass the {judge}
          </button>
        ) : null}
        {isOver ? null : (
          <button type="button" className="link" onClick={() => drop.mutate(place)}>
            Take it out of the run
          </button>
        )}
      </p>
      {error ? <Failure error={error} /> : null}
    </>
  );
}

function Changed({ run, node, commit }: { run: string; node: string; commit: string }) {
  const changed = useOperation('get_run', { run, diff: node }, { calm: true });
  return (
    <Card title="Changed lines" aside={<code>{commit.slice(0, 10)}</code>}>
      <Loaded query={changed} what="the change">
        {({ diff }) => (diff ? <Diff text={diff} /> : <p className="muted">It changes no line.</p>)}
      </Loaded>
    </Card>
  );
}

/** A question to the model repeats what stands above it, and a call without words stands again in the step after it. */
const isTelling = ({ kind, text }: { kind: string; text: string }): boolean =>
  kind !== 'asking' && !(kind === 'said' && text.startsWith('\n'));

function Transcript({ run, node }: { run: string; node: string }) {
  const steps = usePages('get_transcript', { run, node }, ({ steps: all, total, next_cursor }) => ({
    items: all.filter(isTelling),
    total,
    next_cursor,
  }));
  return (
    <Card title="Steps" aside={<span className="muted">{steps.total ?? 0}</span>}>
      {steps.error ? <p className="muted">Nobody has worked on it yet.</p> : null}
      {!steps.items && !steps.error ? <Loading what="the steps" /> : null}
      {steps.items && steps.items.length > 0 ? (
        <VirtualList
          items={steps.items}
          total={steps.total}
          label="Steps, oldest first"
          className="entries"
          onEnd={steps.more}
          keyOf={({ number }) => String(number)}
        >
          {(step) => (
            <div className="entry">
              <p className="meta">
                <Pill tone={step.text.startsWith('failed: ') ? 'bad' : 'plain'}>{step.kind}</Pill>
                <Time at={step.at} />
              </p>
              <pre className="snippet">{step.text.slice(0, 4_000)}</pre>
            </div>
          )}
        </VirtualList>
      ) : null}
    </Card>
  );
}
