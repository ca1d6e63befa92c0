import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { Loaded, Notice, Page, Pill } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { count } from '../format.ts';
import { links, resultLink } from '../links.ts';

const domains = ['code', 'commits', 'chronicle', 'work', 'areas', 'skills'];
type Result = Output<'search_all'>['results'][number]['results'][number];

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
            {domain === '' ? 'everything' : domain}
          </button>
        ))}
      </fieldset>
      {query === '' ? (
        <Notice title="Ask in your own words">
          Code, commits, decisions, tasks, areas and skills are searched at once.
        </Notice>
      ) : (
        <Results query={query} within={within} />
      )}
    </Page>
  );
}

function Results({ query, within }: { query: string; within: string }) {
  const found = useOperation('search_all', {
    query,
    limit_per_domain: within ? 30 : 8,
    ...(within ? { domains: [within] } : {}),
  });
  return (
    <Loaded query={found} what="results">
      {({ results, notes }) => {
        const groups = results.filter((group) => group.results.length > 0);
        return (
          <div className="stack">
            {groups.length === 0 ? (
              <Notice title={`Nothing found for “${query}”`}>
                Try fewer words, or search in everything.
              </Notice>
            ) : null}
            {groups.map((group) => (
              <section key={group.domain} aria-label={group.domain}>
                <h2 className="group">
                  {group.domain} <span className="muted">{count(group.total, 'match', 'matches')}</span>
                </h2>
                <ul className="results">
                  {group.results.map((result) => (
                    <Hit key={result.ref + (result.lines ?? '')} result={result} />
                  ))}
                </ul>
              </section>
            ))}
            {notes.map((note) => (
              <p key={note} className="muted">
                {note}
              </p>
            ))}
          </div>
        );
      }}
    </Loaded>
  );
}

function Hit({ result }: { result: Result }) {
  return (
    <li>
      <Link href={resultLink(result)} className="hit-title">
        {result.title}
        {result.lines ? <span className="muted">:{result.lines}</span> : null}
      </Link>
      {result.snippet ? <pre className="snippet">{result.snippet}</pre> : null}
      <p className="why">
        <Pill>{Math.round(result.relevance * 100)} % relevant</Pill> {result.reason}
      </p>
    </li>
  );
}
