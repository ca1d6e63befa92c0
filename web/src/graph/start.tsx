import { useState } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';

/** Nobody wants a ball of wool: the way in is a question, or a file that is worked on much. */
export function Start() {
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  return (
    <div className="grid">
      <Card title="Start from anything">
        <input
          type="search"
          aria-label="Find a start"
          placeholder="A file, a decision, a task…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {query === '' ? <Busiest /> : <Found query={query} />}
      </Card>
      <Card title="Or see everything">
        <p>All files of the repository, lying as they lie in folders, with what changes together.</p>
        <p className="meta">
          <Link href={links.whole({ folder: '' })}>The whole repository</Link>
        </p>
      </Card>
    </div>
  );
}

function Busiest() {
  const map = useOperation('get_repository_map', { limit: 8, links: 0 });
  return (
    <Loaded query={map} what="files">
      {({ files }) =>
        files.length === 0 ? (
          <Notice title="No files are known yet">Press “Read again” on Home.</Notice>
        ) : (
          <ul className="rows" aria-label="Files that change most">
            {files.map(({ path, commits }) => (
              <li key={path}>
                <Link href={links.graph(`file:${path}`)} className="row-main path">
                  {path}
                </Link>
                <span className="muted">{count(commits, 'commit')}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Found({ query }: { query: string }) {
  const found = useOperation('search_all', { query, limit_per_domain: 6 });
  return (
    <Loaded query={found} what="results">
      {({ results }) => {
        const seen = new Set<string>();
        const hits = results
          .flatMap((group) => group.results)
          .toSorted((a, b) => b.relevance - a.relevance)
          .filter(({ ref }) => !seen.has(ref) && seen.add(ref));
        if (hits.length === 0) return <Notice title="Nothing found">Try another word.</Notice>;
        return (
          <ul className="rows" aria-label="Found">
            {hits.slice(0, 14).map((hit) => (
              <li key={hit.ref}>
                <Link href={links.graph(hit.ref)} className="row-main">
                  {hit.title}
                </Link>
                <span className="muted">{hit.domain}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}
