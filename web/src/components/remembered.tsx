import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { links } from '../links.ts';
import { Markdown } from './markdown.tsx';
import { Card, Loaded, Pill, Time } from './states.tsx';

/** What was decided, tried and learnt about this file or something in it. */
export function Remembered({ path }: { path: string }) {
  const story = useOperation('get_history_for_code', { symbol_id: `file:${path}`, limit: 20 });
  return (
    <Card title="Remembered about it">
      <Loaded query={story} what="the memory" missing={<p className="muted">Nothing is remembered.</p>}>
        {({ history }) => {
          const entries = history.filter((item) => item.kind === 'entry');
          if (entries.length === 0)
            return <p className="muted">Nothing yet. A decision that names this file shows here.</p>;
          return (
            <ul className="entries">
              {entries.map((entry) => (
                <li key={entry.ref}>
                  <div className="entry">
                    <p className="meta">
                      <Link href={links.entry(entry.ref.slice('entry:'.length))}>
                        <strong>{entry.message || 'Untitled entry'}</strong>
                      </Link>
                      <Pill>{entry.category.replaceAll('_', ' ')}</Pill>
                    </p>
                    <Markdown text={entry.content} />
                    {entry.resolution ? <p>Outcome: {entry.resolution}</p> : null}
                    <p className="muted">
                      {entry.author} · <Time at={entry.timestamp} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
