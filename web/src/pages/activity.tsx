import { Link, useSearchParams } from 'wouter';
import type { LiveEvent } from '../api/events.ts';
import { useHeard } from '../api/live.ts';
import { visible } from '../api/visible.ts';
import { Card, Notice, Page, Pill, Time, type Tone } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { links } from '../links.ts';

interface Line {
  key: string;
  type: string;
  at: number;
  text: string;
  state?: string;
  /** Where what it tells of is shown. */
  to?: string;
  raw: unknown;
}

interface Hop {
  seq: number;
  at: string;
  type: string;
  source: string;
  target: string;
  status: string;
  attempt: number;
  waited_ms: number;
  ran_ms: number;
  tier?: string;
  cost?: number;
  error?: string;
}

const titles: Record<string, string> = { guide: 'messages', index: 'reading', memory: 'memory' };

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
  const types = [...new Set(['guide', 'index', 'memory', ...heard.map(({ type }) => type)])];
  const lines = heard
    .filter(({ type }) => chosen === '' || type === chosen)
    .flatMap(linesOf)
    .reverse();
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
      <Card title="Live" aside={<span role="status">{count(lines.length, 'event')}</span>}>
        {lines.length === 0 ? (
          <Notice title="Nothing happened yet">
            Ask something, edit a file, or let an agent work: it shows here at once.
          </Notice>
        ) : (
          <VirtualList items={lines} label="Events, latest first" keyOf={({ key }) => key}>
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
    </Page>
  );
}

function linesOf(event: LiveEvent): Line[] {
  const { id, type, at, data } = event;
  const facts = (data ?? {}) as Record<string, unknown>;
  if (type === 'guide')
    return ((facts['hops'] ?? []) as Hop[]).map((hop) => ({
      key: `${id} ${hop.seq}`,
      type,
      at: Date.parse(hop.at),
      text: visible(hopText(hop)),
      state: hop.status,
      raw: hop,
    }));
  const to = type === 'memory' && typeof facts['id'] === 'string' ? { to: links.entry(facts['id']) } : {};
  return [{ key: String(id), type, at, text: visible(eventText(type, facts)), raw: data, ...to }];
}

const hopText = ({ source, target, type, attempt, waited_ms, ran_ms, tier, error }: Hop): string =>
  [
    `${source} → ${target}  ${type}`,
    attempt > 1 ? `attempt ${attempt}` : '',
    ran_ms > 0 ? `${Math.round(waited_ms)} ms waiting, ${Math.round(ran_ms)} ms at work` : '',
    tier ? `by ${tier}` : '',
    error ?? '',
  ]
    .filter(Boolean)
    .join(' · ');

function eventText(type: string, facts: Record<string, unknown>): string {
  if (type === 'index') return `${facts['source']}: ${count(Number(facts['changed'] ?? 0), 'change')} read`;
  if (type === 'memory') return `remembered as ${String(facts['category']).replaceAll('_', ' ')}`;
  return Object.entries(facts)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, 6)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
