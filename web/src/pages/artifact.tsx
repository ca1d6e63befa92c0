import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { call } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { AreasOf } from '../artifact/areas-of.tsx';
import { History } from '../artifact/history.tsx';
import { LineHistory } from '../artifact/line-history.tsx';
import { Symbols } from '../artifact/symbols.tsx';
import { Remembered } from '../components/remembered.tsx';
import { Card, Failure, Loaded, Loading, Notice, Page, Pill, Tags } from '../components/states.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

const Code = lazy(() => import('../components/code.tsx'));
const CochangeGraph = lazy(async () => ({
  default: (await import('../components/cochange-graph.tsx')).CochangeGraph,
}));

export default function Artifact() {
  const [params] = useSearchParams();
  const path = params.get('path') ?? '';
  const ref = params.get('ref') ?? undefined;
  const line = Number(params.get('line')) || undefined;
  if (path === '')
    return (
      <Page title="File">
        <Notice title="No file was named">Search for one, or open one from Home.</Notice>
      </Page>
    );
  return (
    <Page
      title={path.split('/').at(-1) ?? path}
      lead={
        <>
          <span className="path">{path}</span> · <Link href={links.graph(`file:${path}`)}>Related items</Link>
        </>
      }
    >
      <div className="split">
        <div className="stack">
          <Content key={path + ref} path={path} line={line} at={ref} />
          <Symbols path={path} />
        </div>
        <div className="stack">
          <Remembered path={path} />
          {line ? <LineHistory key={line} path={path} line={line} /> : null}
          <History path={path} />
          <Cochange path={path} />
          <AreasOf path={path} />
        </div>
      </div>
    </Page>
  );
}

const noContent = {
  text: '',
  binary: 'This file is not text',
  absent: 'There is no content at this point',
  missing: 'The content is missing or damaged in this clone',
};

function Content({ path, line, at }: { path: string; line: number | undefined; at: string | undefined }) {
  const content = useInfiniteQuery({
    queryKey: ['get_artifact', path, at],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(
        'get_artifact',
        { path, max_tokens: 8_000, ...(at ? { ref: at } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    getNextPageParam: (page) => page.next_cursor,
  });
  const [copied, setCopied] = useState(false);
  if (content.error) return <Failure error={content.error} />;
  const first = content.data?.pages[0];
  if (!first) return <Loading what="the content" />;
  const permalink = `${location.origin}${links.artifact(path, { line, ref: first.commits[0]?.commit })}`;
  return (
    <Card
      title="Content"
      aside={
        <button
          type="button"
          onClick={() => navigator.clipboard.writeText(permalink).then(() => setCopied(true))}
        >
          {copied ? 'Copied' : 'Copy permalink'}
        </button>
      }
    >
      <p className="meta">
        <span>{count(first.total_lines, 'line')}</span>
        {at ? <Pill>at {at.slice(0, 10)}</Pill> : null}
        {first.deleted ? <Pill tone="warn">deleted</Pill> : null}
        {first.moved_to ? <Link href={links.artifact(first.moved_to)}>now {first.moved_to}</Link> : null}
        <Tags tags={first.tags} />
      </p>
      {first.content_kind === 'text' ? (
        <Suspense fallback={<Loading what="the content" />}>
          {content.data?.pages.map((page) => (
            <Code
              key={page.first_line}
              path={path}
              text={page.content ?? ''}
              firstLine={page.first_line}
              {...(line ? { marked: line } : {})}
            />
          ))}
        </Suspense>
      ) : (
        <Notice title={noContent[first.content_kind]}>Its history is shown beside it.</Notice>
      )}
      {content.hasNextPage ? (
        <button
          type="button"
          disabled={content.isFetchingNextPage}
          onClick={() => void content.fetchNextPage()}
        >
          Show more lines
        </button>
      ) : null}
    </Card>
  );
}

function Cochange({ path }: { path: string }) {
  const together = useOperation('get_cochange', {
    path,
    limit: 12,
    min_jaccard: 0,
    min_count: 1,
    guesses: false,
  });
  return (
    <Card title="Usually changes with it">
      <Loaded
        query={together}
        what="its neighbours"
        missing={<p className="muted">No files usually change with this one.</p>}
      >
        {({ cochanges }) =>
          cochanges.length === 0 ? (
            <Notice title="No files usually change with this one">
              No other file was committed together with it often enough.
            </Notice>
          ) : (
            <>
              <Suspense fallback={null}>
                <CochangeGraph path={path} partners={cochanges} />
              </Suspense>
              <ul className="rows">
                {cochanges.map((partner) => (
                  <li key={partner.path}>
                    <Link href={links.artifact(partner.path)} className="row-main path">
                      {partner.path}
                    </Link>
                    {partner.hidden_coupling ? (
                      <Pill tone="warn">
                        <span title="They change together although neither imports or calls the other.">
                          no link
                        </span>
                      </Pill>
                    ) : null}
                    <span
                      className="muted"
                      title="Commits with both, and their share of the commits with either"
                    >
                      {count(partner.count, 'time')}, {Math.round(partner.jaccard * 100)} %
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
