import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Output } from '../api/client.ts';
import { usePages } from '../api/pages.ts';
import { useAction, useOperation } from '../api/use.ts';
import { MadeFrom } from '../components/made-from.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Card, Failure, Loaded, Loading, Notice, Page, Pill, Tags, Time } from '../components/states.tsx';
import { useSettled } from '../components/use-settled.ts';
import { VirtualList } from '../components/virtual-list.tsx';
import { count, firstLine } from '../format.ts';
import { links } from '../links.ts';
import { AddEntry } from '../memory/add-entry.tsx';
import { ChangeEntry } from '../memory/change-entry.tsx';
import { Preferences } from '../memory/preferences.tsx';

type Entry = Output<'get_entry'>;

export default function Memory() {
  const [params] = useSearchParams();
  const id = params.get('id');
  const session = params.get('session');
  return (
    <Page title="Memory" lead="What was decided, learned and tried, and in which session.">
      <div className="split">
        <div className="stack">
          {id ? <Single key={id} id={id} /> : null}
          {session ? <SessionTimeline key={session} id={session} /> : null}
          <AddEntry />
          <Entries />
        </div>
        <div className="stack">
          <Preferences />
          <Sessions />
        </div>
      </div>
    </Page>
  );
}

function EntryView({ entry }: { entry: Entry }) {
  const promote = useAction('promote');
  return (
    <div className="entry">
      <p className="meta">
        <Link href={links.entry(entry.id)}>
          <strong>{entry.title || 'Untitled entry'}</strong>
        </Link>
        <Pill>{entry.category.replaceAll('_', ' ')}</Pill>
        {entry.promoted ? <Pill tone="good">promoted</Pill> : null}
        {entry.needs_review ? <Pill tone="warn">unverified, needs review</Pill> : null}
        {entry.superseded_by ? <Pill tone="warn">superseded</Pill> : null}
        {entry.verification === 'none' ? null : (
          <Pill tone="good">verified {entry.verification.replaceAll('_', ' ')}</Pill>
        )}
      </p>
      <Markdown text={entry.content} />
      {entry.resolution ? <p>Outcome: {entry.resolution}</p> : null}
      <div className="meta muted small">
        <span>
          {Math.round(entry.confidence * 100)} % sure, from {`${entry.source_kind} ${entry.source}`.trim()},{' '}
          <Time at={entry.created_at} />
        </span>
        <Tags tags={entry.tags} />
        <Link href={links.graph(`entry:${entry.id}`)}>Related items</Link>
        {entry.promoted ? null : (
          <button
            type="button"
            className="link"
            disabled={promote.isPending}
            onClick={() => promote.mutate({ id: entry.id })}
          >
            Promote<span className="hidden"> {entry.title || 'entry'}</span> to every session
          </button>
        )}
      </div>
      {promote.error ? <Failure error={promote.error} /> : null}
      <ChangeEntry entry={entry} />
    </div>
  );
}

function Single({ id }: { id: string }) {
  const entry = useOperation('get_entry', { id });
  return (
    <Card title="Entry" aside={<Link href="/memory">Close</Link>}>
      <Loaded
        query={entry}
        what="the entry"
        missing={<Notice title="There is no such entry">It may have been archived.</Notice>}
      >
        {(found) => (
          <>
            <EntryView entry={found} />
            <MadeFrom of={`entry:${found.id}`} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Entries() {
  const [text, setText] = useState('');
  const query = useSettled(text.trim());
  const entries = usePages(
    'search_history',
    { cross_session: true, limit: 200, ...(query ? { query } : {}) },
    ({ entries: items, total, next_cursor }) => ({ items, total, next_cursor }),
  );
  return (
    <Card title="Entries" aside={<span className="muted">{count(entries.total, 'entry', 'entries')}</span>}>
      <input
        type="search"
        aria-label="Search entries"
        placeholder="Why was it decided…"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {entries.error ? <Failure error={entries.error} /> : null}
      {!entries.items && !entries.error ? <Loading what="entries" /> : null}
      {entries.items?.length === 0 ? (
        <Notice title={query ? `Nothing remembered about “${query}”` : 'Nothing is remembered yet'}>
          Write the first one above, or in the terminal: <code>sylk memory add "…" --category decision</code>
        </Notice>
      ) : null}
      {entries.items && entries.items.length > 0 ? (
        <VirtualList
          items={entries.items}
          total={entries.total}
          label="Entries, newest first"
          className="entries"
          onEnd={entries.more}
          keyOf={({ id }) => id}
        >
          {(entry) => <EntryView entry={entry} />}
        </VirtualList>
      ) : null}
    </Card>
  );
}

function SessionTimeline({ id }: { id: string }) {
  const history = useOperation('get_session_history', { session: id, chronological: true });
  const sessions = useOperation('list_sessions', { include_closed: true });
  const name = sessions.data?.sessions.find((session) => session.id === id)?.name;
  return (
    <Card title={name ? `Session: ${name}` : 'Session'} aside={<Link href="/memory">Close</Link>}>
      <Loaded query={history} what="the session">
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="muted">Nothing was written in this session.</p>
          ) : (
            <ol className="timeline">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Link href={links.entry(entry.id)}>{entry.title || entry.category}</Link>
                  <p className="muted">
                    {entry.category.replaceAll('_', ' ')} · <Time at={entry.created_at} />
                  </p>
                  <p className="two-lines">{firstLine(entry.content)}</p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Card>
  );
}

function Sessions() {
  const sessions = useOperation('list_sessions', { include_closed: true });
  return (
    <Card title="Sessions">
      <Loaded query={sessions} what="sessions">
        {({ sessions: found }) =>
          found.length === 0 ? (
            <Notice title="No sessions yet">A session starts when an agent begins to work with Sylk.</Notice>
          ) : (
            <VirtualList items={found} label="Sessions, latest first" keyOf={({ id }) => id}>
              {(session) => (
                <>
                  <Link href={links.session(session.id)} className="row-main">
                    <strong>{session.name}</strong>
                    <span className="muted">{session.branch_name}</span>
                  </Link>
                  <Pill
                    tone={session.state === 'active' ? 'good' : session.state === 'failed' ? 'bad' : 'plain'}
                  >
                    {session.state}
                  </Pill>
                  <Time at={session.last_active_at} />
                </>
              )}
            </VirtualList>
          )
        }
      </Loaded>
    </Card>
  );
}
