import { lazy, Suspense } from 'react';
import Renderer from 'react-markdown';
import tables from 'remark-gfm';
import { Link, useSearchParams } from 'wouter';
import { Loading, Notice, Page } from '../components/states.tsx';

/** The documents as they were when the dashboard was built; each is loaded when it is opened. */
const documents = import.meta.glob<string>(['../../../docs/*.md', '../../../docs/handbook/*.md'], {
  query: '?raw',
  import: 'default',
});
const first = 'handbook/README';
const addressOf = (name: string): string => `/handbook?page=${encodeURIComponent(name)}`;
const loaders = new Map(
  Object.entries(documents).map(([path, load]) => [
    path.replace(/^.*?docs\//, '').replace(/\.md$/, ''),
    load,
  ]),
);
const bodies = new Map(
  [...loaders].map(([name, load]) => [name, lazy(async () => body(name, await load()))]),
);

export default function Handbook() {
  const [params] = useSearchParams();
  const name = params.get('page') ?? first;
  const Body = bodies.get(name);
  return (
    <Page title="Handbook" lead="What Sylk does for you, one page for each part.">
      {Body ? (
        <Suspense fallback={<Loading what="the page" />}>
          <Body />
        </Suspense>
      ) : (
        <Notice title="There is no such page">
          The <Link href="/handbook">first page</Link> leads to every other one.
        </Notice>
      )}
    </Page>
  );
}

/** A link to another document opens here; one that leads out of the documents is only a name, because this page can't show it. */
function body(name: string, text: string) {
  const folder = name.includes('/') ? `${name.split('/')[0]}/` : '';
  const DocumentLink = ({ href = '', children }: { href?: string; children?: React.ReactNode }) => {
    const target = href.replace(/#.*$/s, '').replace(/\.md$/, '');
    const other = target.startsWith('../') ? target.slice(3) : `${folder}${target}`;
    return loaders.has(other) ? <Link href={addressOf(other)}>{children}</Link> : <code>{children}</code>;
  };
  return {
    default: () => (
      <div className="prose document">
        {name !== first && (
          <p>
            <Link href="/handbook">← All pages</Link>
          </p>
        )}
        <Renderer remarkPlugins={[tables]} components={{ a: DocumentLink, h1: 'h2', h2: 'h3', h3: 'h4' }}>
          {text}
        </Renderer>
      </div>
    ),
  };
}
