import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useEverywhere } from '../api/everywhere.ts';
import { Marked } from '../components/marked.tsx';
import { Failure, Loading, Notice, Page, Pill } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';

const domains = ['code', 'commits', 'chronicle', 'references', 'work', 'areas', 'skills'];
const titles: Record<string, string> = { chronicle: 'memory' };

export default function Search() {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const q = params.get('q') ?? '';
  const within = params.get('in') ?? '';
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  if (seen !== q) {
    setSeen(q);
    setText(q);
  }
  const query = useSettled(text.trim());
  const go = (next: string, domain: string) => navigate(links.search(next, domain), { replace: true });
  return (
    <Page title="Search">
      <form
        className="searchbar"
        onSubmit={(event) => {
          event.preventDefault();
          go(text.trim(), within);
        }}
      >
        <input
          type="search"
          aria-label="Search for"
          placeholder="A name, a phrase, a question…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit">Search</button>
      </form>
      <fieldset className="filters">
        <legend className="hidden">Search in</legend>
        {['', ...domains].map((domain) => (
          <button
            key={domain}
            type="button"
            aria-pressed={within === domain}
            onClick={() => go(text.trim(), domain)}
          >
            {domain === '' ? 'everything' : (titles[domain] ?? domain)}
          </button>
        ))}
      </fieldset>
      {query === '' ? (
        <Notice title="Ask in your own words">
          Code, commits, decisions, references, tasks, areas and skills are searched at once.
        </Notice>
      ) : (
        <Results query={query} within={within} />
      )}
    </Page>
  );
}

function Results({ query, within }: { query: string; within: string }) {
  const { groups, notes, error, loading } = useEverywhere(query, within ? 30 : 8, within);
  if (error) return <Failure error={error} />;
  if (loading && groups.length === 0) return <Loading what="results" />;
  return (
    <div className="stack">
      {groups.length === 0 ? (
        <Notice title={`Nothing found for “${query}”`}>Try fewer words, or search in everything.</Notice>
      ) : null}
      {groups.map(({ domain, total, hits }) => (
        <section key={domain} aria-label={titles[domain] ?? domain}>
          <h2 className="group">
            {titles[domain] ?? domain} <span className="muted">{count(total, 'match', 'matches')}</span>
          </h2>
          <ul className="results">
            {hits.map((hit) => (
              <li key={hit.key}>
                <Link href={hit.to} className="hit-title">
                  {hit.title}
                  {hit.lines ? <span className="muted">:{hit.lines}</span> : null}
                </Link>
                {hit.snippet ? (
                  <pre className={domain === 'code' ? 'snippet' : 'snippet words'}>
                    <Marked text={hit.snippet} query={query} />
                  </pre>
                ) : null}
                <p className="why">
                  <Pill>{Math.round(hit.relevance * 100)} % relevant</Pill>{' '}
                  {hit.warning ? <Pill tone="warn">{hit.warning}</Pill> : null} {hit.reason}
                </p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {loading ? <Loading what="the rest" /> : null}
      {notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </div>
  );
}
