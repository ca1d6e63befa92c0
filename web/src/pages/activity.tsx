import { useMemo } from 'react';
import { Link, useSearchParams } from 'wouter';
import { Agents, DeadLetters } from '../activity/agents.tsx';
import { linesOf } from '../activity/lines.ts';
import { useHeard } from '../api/live.ts';
import { useOperation } from '../api/use.ts';
import { visible } from '../api/visible.ts';
import { Card, Notice, Page, Pill, Time, type Tone } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';

const titles: Record<string, string> = {
  guide: 'messages',
  index: 'reading',
  memory: 'memory',
  approval: 'approvals',
};

const tones: Record<string, Tone> = {
  done: 'good',
  delivered: 'good',
  processing: 'warn',
  queued: 'plain',
  failed: 'bad',
  dead: 'bad',
  expired: 'warn',
};

/** What happens while Sylk runs, as it happens: what was read, remembered, and said between agents. */
export default function Activity() {
  const [params, setParams] = useSearchParams();
  const heard = useHeard();
  const chosen = params.get('type') ?? '';
  const types = [...new Set(['guide', 'index', 'memory', 'approval', ...heard.map(({ type }) => type)])];
  const trace = useOperation('guide_trace', { limit: 500 });
  const kept = trace.data?.hops;
  const remembered = useOperation('search_history', { cross_session: true, limit: 200, max_tokens: 20_000 });
  const entries = remembered.data?.entries;
  const lines = useMemo(
    () => linesOf(heard, kept ?? [], chosen, new Map(entries?.map(({ id, title }) => [id, title]))),
    [heard, kept, chosen, entries],
  );
  return (
    <Page
      title="Activity"
      lead="Messages between agents, what was read and what was remembered, as it happens."
    >
      <fieldset className="filters">
        <legend className="hidden">Show</legend>
        {['', ...types].map((type) => (
          <button
            key={type}
            type="button"
            aria-pressed={chosen === type}
            onClick={() => setParams(type === '' ? {} : { type })}
          >
            {type === '' ? 'everything' : (titles[type] ?? type)}
          </button>
        ))}
      </fieldset>
      <div className={chosen === 'guide' ? 'split' : 'stack'}>
        <Card title="Live" aside={<span role="status">{count(lines.length, 'event')}</span>}>
          {lines.length === 0 ? (
            <Notice title="Nothing happened yet">
              Ask something, edit a file, or let an agent work: it shows here at once.
            </Notice>
          ) : (
            <VirtualList
              items={lines}
              label="Events, latest first"
              className="rows events"
              keyOf={({ key }) => key}
            >
              {(line) => (
                <>
                  <Pill>{titles[line.type] ?? line.type}</Pill>
                  <details className="row-main">
                    <summary>{line.text}</summary>
                    <pre className="snippet tall">{visible(JSON.stringify(line.raw, null, 2))}</pre>
                  </details>
                  {line.to ? <Link href={line.to}>Open it</Link> : null}
                  {line.state ? <Pill tone={tones[line.state] ?? 'plain'}>{line.state}</Pill> : null}
                  <Time at={line.at} />
                </>
              )}
            </VirtualList>
          )}
        </Card>
        {chosen === 'guide' ? (
          <div className="stack">
            <Agents />
            <DeadLetters />
          </div>
        ) : null}
      </div>
    </Page>
  );
}
