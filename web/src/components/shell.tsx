import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Connection, followEvents } from '../api/events.ts';
import { hear } from '../api/live.ts';
import { useReview } from '../api/review.ts';
import { useOperation } from '../api/use.ts';
import { pages, teamPages } from '../page-list.ts';
import { applyTheme, storedTheme, type Theme, themes } from '../theme.ts';
import { titleWaiting } from '../title.ts';
import { Palette } from './palette.tsx';
import { RepositoryChoice, useServed } from './repository-choice.tsx';
import { Stumble } from './stumble.tsx';

/** Everything shown is loaded anew when something happened; a burst of events counts once. */
function useLiveUpdates(): Connection {
  const client = useQueryClient();
  const [state, setState] = useState<Connection>('connecting');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => void client.invalidateQueries({ predicate: ({ meta }) => !meta?.['calm'] }),
        250,
      );
    };
    let lost = false;
    const stop = followEvents({
      event: (event, past) => {
        hear(event);
        // Messages between agents are many and change nothing that is stored elsewhere.
        if (!past && event.type !== 'guide') refresh();
      },
      gap: refresh,
      state: (next) => {
        if (next === 'live' && lost) refresh();
        lost = next === 'lost';
        setState(next);
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client]);
  return state;
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  return (
    <div className="theme">
      <span aria-hidden="true">Theme</span>
      <select
        aria-label="Theme"
        value={theme}
        onChange={(event) => {
          const chosen = event.target.value as Theme;
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        {themes.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

const searchKey = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

export function Shell({ children }: { children: ReactNode }) {
  const connection = useLiveUpdates();
  const [address] = useLocation();
  const [searching, setSearching] = useState(false);
  const pending = useOperation('list_approvals', { status: 'pending' }, { everyMs: 2_000, always: true });
  const asked = pending.data?.total ?? 0;
  const review = useReview();
  const shown = useServed().data?.team ? [...pages, ...teamPages] : pages;
  const waiting = useOperation('list_waiting', {}, { everyMs: 4_000 });
  const badges: Record<string, number> = {
    '/runs': waiting.data?.total ?? 0,
    '/approvals': asked,
    '/review': review.count,
  };

  useEffect(() => titleWaiting(asked), [asked]);

  // On a phone the pages are one line that is scrolled: the one that is open stays in sight.
  const pageList = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = pageList.current?.querySelector<HTMLElement>('[aria-current]');
    if (current) pageList.current!.scrollLeft = current.offsetLeft - pageList.current!.clientWidth / 3;
  }, [address, asked, review.count]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setSearching((open) => !open);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="side">
        <Link href="/" className="brand" aria-label="Sylk, home">
          <img src="/favicon.svg" alt="" width="22" height="22" />
          <span>Sylk</span>
        </Link>
        <button type="button" className="find" onClick={() => setSearching(true)}>
          <span>Find anything</span>
          <kbd>{searchKey}</kbd>
        </button>
        {asked > 0 ? (
          <Link href="/approvals" className="asked">
            <span className="badge">{asked}</span>
            <span className="hidden"> {asked === 1 ? 'approval waits' : 'approvals wait'}</span>
          </Link>
        ) : null}
        <nav ref={pageList} aria-label="Pages">
          {shown.map(([to, title]) => (
            <Link key={to} href={to} {...(address === to ? { 'aria-current': 'page' as const } : {})}>
              {title}
              {(badges[to] ?? 0) > 0 ? (
                <span className="badge">
                  {badges[to]}
                  <span className="hidden"> waiting</span>
                </span>
              ) : null}
            </Link>
          ))}
        </nav>
        <RepositoryChoice />
        <ThemeChoice />
      </header>
      <main id="content" tabIndex={-1}>
        <div role="status" aria-live="polite">
          {connection === 'lost' ? (
            <p className="banner">
              Not connected. What you see may be old; Sylk keeps trying. Is `sylk up` still running? After a
              new start, open the link that `sylk up --link` prints.
            </p>
          ) : null}
        </div>
        <Stumble key={address}>{children}</Stumble>
      </main>
      {searching ? <Palette onClose={() => setSearching(false)} /> : null}
    </div>
  );
}
