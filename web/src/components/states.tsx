import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../api/client.ts';
import { ago, exactTime } from '../format.ts';
import { titlePage } from '../title.ts';
import { useInSight } from './use-in-sight.ts';

export function Loading({ what }: { what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what}…
    </p>
  );
}

export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="notice">
      <p className="notice-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

export function Failure({ error }: { error: Error }) {
  return (
    <div className="notice failure" role="alert">
      <p className="notice-title">{error.message}</p>
      {error instanceof ApiError && error.hint ? <p>{error.hint}</p> : null}
    </div>
  );
}

/** What a query brought, or why it is not there; `missing` where what was asked for does not exist. */
export function Loaded<Data>(props: {
  query: UseQueryResult<Data>;
  what: string;
  missing?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error } = props.query;
  if (data !== undefined) return props.children(data);
  if (props.missing && error instanceof ApiError && error.code === 'NOT_FOUND') return props.missing;
  return error ? <Failure error={error} /> : <Loading what={props.what} />;
}

export function Page({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    titlePage(title);
  }, [title]);
  return (
    <article className="page">
      <header className="page-head">
        <h1>{title}</h1>
        {lead ? <div className="lead">{lead}</div> : null}
      </header>
      {children}
    </article>
  );
}

interface CardParts {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Card({ title, aside, children }: CardParts) {
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What was chosen in a list beside it: on a narrow screen it comes first, and it is never off the screen. */
export function Chosen({ children }: { children: ReactNode }) {
  return (
    <div className="lifted" ref={useInSight<HTMLDivElement>()}>
      {children}
    </div>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function Pill({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`pill ${tone}`}>{children}</span>;
}

export function Tags({ tags }: { tags: string[] }) {
  if (tags.length === 0) return null;
  return (
    <span className="tags">
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </span>
  );
}

export function Time({ at }: { at: string | number }) {
  return (
    <time className="muted" title={exactTime(at)}>
      {ago(at)}
    </time>
  );
}
