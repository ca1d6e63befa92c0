import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useAction, useOperation } from '../api/use.ts';
import { Diff } from '../components/diff.tsx';
import { Card, Failure, Loaded, Pill } from '../components/states.tsx';
import { links } from '../links.ts';
import { hasEnded, type Run } from './stage.ts';

type Node = Output<'review_run'>['nodes'][number];
const keyOf = ({ id, commit }: Pick<Node, 'id' | 'commit'>) => `${id} ${commit}`;
/** The next ones of a stack: an accepted one makes room for another. */
const atOnce = 3;

/** Changed nodes one by one, riskiest first, each with why and with what the judges said of it. */
export function ReviewStack({ run }: { run: Run }) {
  const changed = run.nodes.filter(({ commit }) => commit).map(({ id, commit }) => `${id} ${commit}`);
  const review = useOperation('review_run', { run: run.run }, { enabled: changed.length > 0, calm: true });
  const { refetch } = review;
  const commits = changed.join();
  // The diff of every node is read for it: only a new commit is a reason to.
  useEffect(() => {
    if (commits !== '') void refetch();
  }, [commits, refetch]);
  const [accepted, accept] = useAccepted(run.run);
  const [isWhole, showWhole] = useState(false);
  if (changed.length === 0) return null;
  return (
    <Card
      title="Review, riskiest first"
      aside={
        <span className="muted">{`${changed.filter((key) => accepted.has(key)).length} of ${changed.length} accepted`}</span>
      }
    >
      <Loaded query={review} what="the review">
        {({ nodes }) => {
          const open = nodes.filter((node) => !accepted.has(keyOf(node)));
          const shown = isWhole ? nodes : open.slice(0, atOnce);
          return (
            <div>
              {shown.map((node) => (
                <div key={keyOf(node)} className="entry">
                  <Reviewed
                    run={run}
                    node={node}
                    isAccepted={accepted.has(keyOf(node))}
                    onAccept={() => accept(keyOf(node))}
                  />
                </div>
              ))}
              {shown.length < nodes.length ? (
                <p className="meta">
                  {open.length > shown.length ? `${open.length - shown.length} more to look at.` : ''}
                  <button type="button" className="link" onClick={() => showWhole(true)}>
                    Show all {nodes.length}
                  </button>
                </p>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Reviewed({
  run,
  node,
  isAccepted,
  onAccept,
}: {
  run: Run;
  node: Node;
  isAccepted: boolean;
  onAccept: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const changed = useOperation('get_run', { run: run.run, diff: node.id }, { calm: true, enabled: isOpen });
  return (
    <>
      <p className="meta">
        <Link href={links.run(run.run, node.id)}>
          <strong>
            {node.number}. {node.id}
          </strong>
        </Link>
        {isAccepted ? <Pill tone="good">accepted</Pill> : null}
        <span className="muted">{node.reasons.join(' · ') || 'nothing stands out'}</span>
      </p>
      <p className="muted small">
        {node.files.map(({ path, added, deleted }) => `${path} +${added} −${deleted}`).join(', ')}
      </p>
      <ul className="muted small">
        {node.evidence.slice(0, 12).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="meta">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the lines' : 'Show the lines'}
        </button>
        {isAccepted ? null : (
          <button type="button" className="primary" onClick={onAccept}>
            Accept
          </button>
        )}
      </p>
      {isOpen ? (
        <Loaded query={changed} what="the change">
          {({ diff }) => (diff ? <Diff text={diff} /> : <p className="muted">It changes no line.</p>)}
        </Loaded>
      ) : null}
      <SendBack run={run} node={node} />
    </>
  );
}

/** A run that goes on gets the words as a change of its plan; one that has ended, as a new plan that waits. */
function SendBack({ run, node }: { run: Run; node: Node }) {
  const message = useAction('message_run');
  const propose = useAction('propose_run');
  const drop = useAction('drop_node');
  const [words, setWords] = useState('');
  const text = words.trim();
  const error = message.error ?? propose.error ?? drop.error;
  const send = () => {
    if (text === '') return;
    if (hasEnded(run.status))
      propose.mutate({
        task: `${text}\n\n(About ${node.id} of ${run.run}: ${node.files.map(({ path }) => path).join(', ')})`,
        base: run.branch,
      });
    else message.mutate({ run: run.run, message: `${node.id}: ${text}` });
    setWords('');
  };
  return (
    <form
      className="searchbar"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input
        aria-label={`What should be different in ${node.id}`}
        placeholder="What should be different?"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <button type="submit" disabled={text === ''}>
        Send back
      </button>
      <button
        type="button"
        disabled={drop.isPending}
        onClick={() => drop.mutate({ run: run.run, node: node.id })}
      >
        Drop
      </button>
      {error ? <Failure error={error} /> : null}
    </form>
  );
}

/** What this person has looked at, in this browser: a commit that changes is looked at again. */
function useAccepted(run: string): [accepted: Set<string>, accept: (key: string) => void] {
  const name = `sylk.accepted.${run}`;
  const [accepted, set] = useState(() => new Set<string>(JSON.parse(localStorage.getItem(name) ?? '[]')));
  return [
    accepted,
    (key) => {
      const next = new Set([...accepted, key]);
      localStorage.setItem(name, JSON.stringify([...next]));
      set(next);
    },
  ];
}
