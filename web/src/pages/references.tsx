import { Link, useSearchParams } from 'wouter';
import { useDecision, useOperation } from '../api/use.ts';
import { Markdown } from '../components/markdown.tsx';
import { Card, Chosen, Failure, Loaded, Notice, Page, Pill, Tags, Time } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

const sourceKinds: Record<string, string> = { web: 'web page', git: 'repository', local: 'folder' };

export default function References() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const topics = useOperation('reference_topic_list', {});
  return (
    <Page
      title="References"
      lead="Documents from outside that were fetched once and kept, with their sources."
    >
      <div className={id ? 'split lifts' : 'stack'}>
        <Card title="Topics">
          <Loaded query={topics} what="topics">
            {({ topics: found }) =>
              found.length === 0 ? (
                <Notice title="No references yet">
                  An agent asks for one with <code>reference_topic_create</code>; you approve it under
                  Approvals.
                </Notice>
              ) : (
                <VirtualList items={found} label="Topics" keyOf={(topic) => topic.topic_id}>
                  {(topic) => (
                    <>
                      <Link href={links.topic(topic.topic_id)} className="row-main">
                        <strong>{topic.title}</strong>
                        <span className="muted">
                          {count(topic.source_count, 'source')}, {count(topic.file_count, 'file')}
                        </span>
                        <Tags tags={topic.tags} />
                      </Link>
                      <Pill tone={topic.is_stale ? 'warn' : 'good'}>
                        {topic.is_stale ? 'stale' : topic.status === 'active' ? 'fresh' : topic.status}
                      </Pill>
                      <span className="muted">
                        fetched <Time at={topic.fetched_at} />
                      </span>
                    </>
                  )}
                </VirtualList>
              )
            }
          </Loaded>
        </Card>
        {id ? (
          <Chosen key={id}>
            <Topic id={id} />
          </Chosen>
        ) : null}
      </div>
    </Page>
  );
}

function Topic({ id }: { id: string }) {
  const topic = useOperation('reference_topic_show', { topic: id });
  const refresh = useDecision('reference_topic_refresh');
  return (
    <Card
      title={topic.data?.title ?? 'Topic'}
      aside={
        topic.data && (
          <button type="button" disabled={refresh.isPending} onClick={() => refresh.mutate({ topic: id })}>
            {refresh.isPending ? 'Refreshing…' : 'Refresh'}
          </button>
        )
      }
    >
      {refresh.error ? <Failure error={refresh.error} /> : null}
      <Loaded
        query={topic}
        what="the topic"
        missing={<Notice title="There is no such topic">It may have been removed.</Notice>}
      >
        {({ body, sources, files, more_files, created_by, fetched_at }) => (
          <>
            <p className="meta">
              by {created_by.agent}, fetched <Time at={fetched_at} />
            </p>
            <ul className="rows">
              {sources.map((source) => (
                <li key={JSON.stringify(source)}>
                  <Pill>{sourceKinds[source.type] ?? source.type}</Pill>
                  <span className="row-main path">{source.type === 'local' ? source.path : source.url}</span>
                </li>
              ))}
            </ul>
            <Markdown text={body} />
            <details>
              <summary>{count(files.length + more_files, 'file')}</summary>
              <ul className="plain">
                {files.map((file) => (
                  <li key={file} className="path">
                    {file}
                  </li>
                ))}
              </ul>
            </details>
          </>
        )}
      </Loaded>
    </Card>
  );
}
