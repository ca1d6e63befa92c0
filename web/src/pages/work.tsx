import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { AreaKnowledge } from '../components/area-knowledge.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Card, Loaded, Notice, Page, Pill, Tags, Time } from '../components/states.tsx';
import { sentence } from '../format.ts';
import { links } from '../links.ts';
import { AddTask } from '../work/add-task.tsx';
import { OrderOfWork } from '../work/order.tsx';
import { isFinished, statusTone, statusWords, waits } from '../work/status.ts';

const views = ['board', 'order', 'list'] as const;

export default function Work() {
  const [params, setParams] = useSearchParams();
  const id = params.get('id');
  if (id) return <Item key={id} id={id} />;
  const view = views.find((each) => each === params.get('view')) ?? 'board';
  return (
    <Page title="Work" lead="What is planned, who works on it, and what waits for what.">
      <div className="toolbar">
        <fieldset className="filters">
          <legend>Show as</legend>
          {views.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={view === each}
              onClick={() => {
                const next = new URLSearchParams(params);
                if (each === 'board') next.delete('view');
                else next.set('view', each);
                setParams(next);
              }}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </div>
      <AddTask />
      {view === 'board' ? <Board /> : <OrderOfWork asList={view === 'list'} />}
    </Page>
  );
}

function Board() {
  const board = useOperation('get_work_board', { limit: 100 }, { everyMs: 5_000 });
  return (
    <Loaded query={board} what="the board">
      {({ data }) => {
        const columns = data?.columns ?? [];
        if (columns.every((column) => column.total === 0))
          return (
            <Notice title="There is no work yet">
              Add a task above, or a whole plan in the terminal:{' '}
              <code>sylk run propose --from plan.yaml</code>
            </Notice>
          );
        return (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
          <section className="board" aria-label="Board" tabIndex={0}>
            {columns.map((column) => (
              <section key={column.status} aria-label={column.status} className="board-column">
                <h2>
                  {statusWords(column.status)} <span className="muted">{column.total}</span>
                </h2>
                {column.tasks.length === 0 ? <p className="muted">Nothing here.</p> : null}
                <ul>
                  {column.tasks.map((task) => (
                    <li key={task.id} className="task">
                      <Link href={links.work(task.id)}>{task.title}</Link>
                      {task.summary ? <p className="muted small two-lines">{task.summary}</p> : null}
                      <p className="meta">
                        {task.priority === 'MEDIUM' ? null : (
                          <Pill tone={task.priority === 'HIGH' ? 'warn' : 'plain'}>
                            {task.priority.toLowerCase()} priority
                          </Pill>
                        )}
                        {task.claim?.live ? <Pill tone="good">{task.claim.by} is on it</Pill> : null}
                        {waits(task) && !isFinished(task.status) ? (
                          <Pill tone="bad">
                            {task.blockedBy.length > 0 ? `waits for ${task.blockedBy.length}` : 'blocked'}
                          </Pill>
                        ) : null}
                        <Tags tags={task.tags} />
                      </p>
                    </li>
                  ))}
                </ul>
                {column.total > column.tasks.length ? (
                  <p className="muted">{column.total - column.tasks.length} more in the list.</p>
                ) : null}
              </section>
            ))}
          </section>
        );
      }}
    </Loaded>
  );
}

const recordOf = <Task, Feature, Project>(data?: { task?: Task; feature?: Feature; project?: Project }) =>
  data?.task ?? data?.feature ?? data?.project;

function Item({ id }: { id: string }) {
  const item = useOperation('get_work', { id, sections: true, context: true }, { everyMs: 5_000 });
  const record = recordOf(item.data?.data);
  const title = record ? ('title' in record ? record.title : record.name) : 'Work';
  return (
    <Page
      title={title}
      lead={
        <>
          <Link href="/work">Back to the board</Link> ·{' '}
          <Link href={links.graph(`task:${id}`)}>Related items</Link>
        </>
      }
    >
      <Loaded
        query={item}
        what="the item"
        missing={
          <Notice title="There is no such item">
            It may have been removed. The board shows what there is.
          </Notice>
        }
      >
        {({ data }) => {
          if (!data) return null;
          const { sections = [], graphContext } = data;
          const found = recordOf(data);
          if (!found) return <Notice title="There is no such item">It may have been removed.</Notice>;
          const atoms = [
            ...(graphContext?.molecules.flatMap((molecule) => molecule.atoms) ?? []),
            ...(graphContext?.orphanAtoms ?? []),
          ];
          return (
            <div className="stack">
              <Card title={sentence(data.kind)}>
                <p className="meta">
                  {'status' in found ? (
                    <Pill tone={statusTone(found.status)}>{statusWords(found.status)}</Pill>
                  ) : null}
                  {'claim' in found && found.claim?.live ? (
                    <Pill tone="good">claimed by {found.claim.by}</Pill>
                  ) : null}
                  {'priority' in found ? <Pill>{found.priority.toLowerCase()} priority</Pill> : null}
                  {'complexity' in found ? <Pill>complexity {found.complexity} of 10</Pill> : null}
                  <Tags tags={found.tags} />
                </p>
                <Markdown text={found.summary} />
                <Markdown text={found.description} />
                <p className="muted small">
                  {'featureId' in found && found.featureId ? (
                    <>
                      Part of <PartOf id={found.featureId} />,{' '}
                    </>
                  ) : null}
                  changed <Time at={found.modifiedAt} /> by {found.modifiedBy}
                </p>
              </Card>
              {'status' in found ? (
                <Dependencies
                  id={id}
                  kind={data.kind === 'feature' ? 'feature' : 'task'}
                  reason={found.blockedReason}
                />
              ) : null}
              {sections.map((section) => (
                <Card key={section.id} title={section.title}>
                  {section.contentFormat === 'MARKDOWN' ? (
                    <Markdown text={section.content ?? ''} />
                  ) : (
                    <pre className="snippet">{section.content}</pre>
                  )}
                </Card>
              ))}
              {atoms.length > 0 ? (
                <Card title="Areas">
                  {atoms.map((atom) => (
                    <AreaKnowledge key={atom.id} atom={atom} />
                  ))}
                </Card>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function PartOf({ id }: { id: string }) {
  const feature = useOperation('get_work', { id });
  return <Link href={links.work(id)}>{feature.data?.data?.feature?.name ?? 'a feature'}</Link>;
}

function Dependencies({ id, kind, reason }: { id: string; kind: 'feature' | 'task'; reason: string | null }) {
  const edges = useOperation('get_work', { id, type: kind, dependencies: true });
  return (
    <Card title="Depends on, and is needed by">
      {reason ? <p>Blocked: {reason}</p> : null}
      <Loaded query={edges} what="dependencies">
        {({ data }) => {
          const rows = [
            ...(data?.dependencies ?? []).map((edge) => ({ edge, says: 'waits for' })),
            ...(data?.dependents ?? []).map((edge) => ({ edge, says: 'needed by' })),
          ];
          if (rows.length === 0) return <p className="muted">It stands alone.</p>;
          return (
            <ul className="rows">
              {rows.map(({ edge, says }) => {
                const other = edge.fromId === id ? edge.toId : edge.fromId;
                return (
                  <li key={says + other + edge.type}>
                    <Pill>{edge.type === 'BLOCKS' ? says : 'related to'}</Pill>
                    <Link href={links.work(other)} className="row-main">
                      {edge.name ?? other}
                    </Link>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
