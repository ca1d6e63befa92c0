import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { OfProject } from '../components/of-project.tsx';
import { Loaded, Loading, Notice, Pill } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { links } from '../links.ts';
import type { WorkGraph } from './dag-layout.ts';
import { statusTone, statusWords } from './status.ts';

const Dag = lazy(() => import('./dag.tsx'));

const none = (
  <Notice title="There is no work yet">
    Agents plan it with <code>create_work_tree</code>; the command line does with <code>sylk work</code>.
  </Notice>
);

/** What waits for what, drawn or listed. */
export function OrderOfWork({ asList }: { asList: boolean }) {
  return (
    <OfProject what="the order of work" none={none}>
      {({ id }) => <OrderOfProject key={id} projectId={id} asList={asList} />}
    </OfProject>
  );
}

function OrderOfProject({ projectId, asList }: { projectId: string; asList: boolean }) {
  const graph = useOperation('get_work_graph', { project_id: projectId }, { everyMs: 5_000 });
  return (
    <Loaded query={graph} what="the order of work">
      {({ data }) =>
        !data || data.nodes.length === 0 ? (
          none
        ) : asList ? (
          <OrderList graph={data} />
        ) : (
          <Suspense fallback={<Loading what="the drawing" />}>
            <Dag graph={data} />
          </Suspense>
        )
      }
    </Loaded>
  );
}

/** What can be started stands first, then what waits, by how much it waits for. */
function OrderList({ graph }: { graph: WorkGraph }) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const waitsFor = new Map<string, string[]>();
  const neededBy = new Map<string, string[]>();
  for (const { from, to, type } of graph.edges) {
    if (type !== 'BLOCKS') continue;
    waitsFor.set(to, [...(waitsFor.get(to) ?? []), from]);
    neededBy.set(from, [...(neededBy.get(from) ?? []), to]);
  }
  const items = graph.nodes.toSorted(
    (a, b) => (waitsFor.get(a.id)?.length ?? 0) - (waitsFor.get(b.id)?.length ?? 0),
  );
  const named = (ids: string[] | undefined) => (ids ?? []).map((id) => names.get(id)).join(', ');
  return (
    <VirtualList items={items} label="Order of work" keyOf={({ id }) => id}>
      {(item) => (
        <>
          <Link href={links.work(item.id)} className="row-main">
            <strong>{item.name}</strong>
            {waitsFor.has(item.id) ? (
              <span className="muted">waits for {named(waitsFor.get(item.id))}</span>
            ) : null}
            {neededBy.has(item.id) ? (
              <span className="muted">needed by {named(neededBy.get(item.id))}</span>
            ) : null}
          </Link>
          <Pill>{item.kind}</Pill>
          <Pill tone={statusTone(item.status)}>{statusWords(item.status)}</Pill>
          {item.claimedBy ? <Pill tone="good">{item.claimedBy}</Pill> : null}
        </>
      )}
    </VirtualList>
  );
}
