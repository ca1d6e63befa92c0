import type { LiveEvent } from '../api/events.ts';
import { visible } from '../api/visible.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';
import sentences from './said.json' with { type: 'json' };

export interface Line {
  key: string;
  type: string;
  at: number;
  text: string;
  state?: string;
  /** Where what it tells of is shown. */
  to?: string;
  raw: unknown;
}

export interface Hop {
  at: string;
  message_id?: string;
  type: string;
  source: string;
  target: string;
  status: string;
  attempt?: number;
  waited_ms?: number;
  ran_ms: number;
  tier?: string;
  cost?: number;
  error?: string;
}

/** What a message says; its own name where it has no sentence. */
const said: Record<string, string> = sentences;

const hopText = ({ source, target, type, attempt, tier, error }: Hop): string => {
  const sentence = said[type] ?? `sent {to} ${type.toLowerCase().replaceAll('_', ' ')}`;
  return [
    `${source[0]?.toUpperCase() ?? ''}${source.slice(1)} ${sentence.replace('{to}', target)}`,
    attempt && attempt > 1 ? `attempt ${attempt}` : '',
    tier ? `decided by ${tier}` : '',
    error ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
};

const hopLine = (hop: Hop): Line => ({
  key: `${hop.message_id} ${hop.target} ${hop.attempt} ${hop.status} ${hop.at}`,
  type: 'guide',
  at: Date.parse(hop.at),
  text: visible(hopText(hop)),
  state: hop.status,
  raw: hop,
});

const sources: Record<string, string> = {
  history: 'of the history',
  code: 'of the code',
  recall: 'for search',
};

function eventText(
  type: string,
  facts: Record<string, unknown>,
  titles: ReadonlyMap<string, string>,
): string {
  if (type === 'index') {
    const source = String(facts['source']);
    return `${count(Number(facts['changed'] ?? 0), 'change')} ${sources[source] ?? `of ${source}`} read`;
  }
  if (type === 'run') {
    const sentence = said[String(facts['type'])] ?? 'told {to} something';
    return `${String(facts['source'] ?? 'The team')} ${sentence.replace('{to}', 'the others')}`;
  }
  if (type === 'memory') {
    const category = String(facts['category']).replaceAll('_', ' ');
    const title = titles.get(String(facts['id']));
    return title ? `${category}: ${title}` : `remembered as ${category}`;
  }
  if (type === 'approval')
    return facts['status'] === 'pending'
      ? 'A person was asked to approve'
      : `A request was ${facts['status']}`;
  return Object.entries(facts)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, 6)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

const lineOf = ({ id, type, at, data }: LiveEvent, titles: ReadonlyMap<string, string>): Line => {
  const facts = (data ?? {}) as Record<string, unknown>;
  const to =
    type === 'memory' && typeof facts['id'] === 'string'
      ? { to: links.entry(facts['id']) }
      : type === 'approval'
        ? { to: '/approvals' }
        : {};
  return { key: String(id), type, at, text: visible(eventText(type, facts, titles)), raw: data, ...to };
};

/** What was told live and what the trace kept from before, each once, latest first. */
export function linesOf(
  heard: readonly LiveEvent[],
  kept: readonly Hop[],
  type: string,
  titles: ReadonlyMap<string, string>,
): Line[] {
  const wanted = heard.filter((event) => type === '' || event.type === type);
  const told = wanted.filter((event) => event.type !== 'guide').map((event) => lineOf(event, titles));
  const hops = new Map<string, Line>();
  const all = [
    ...(type === '' || type === 'guide' ? kept : []),
    ...wanted
      .filter((event) => event.type === 'guide')
      .flatMap(({ data }) => ((data as { hops?: Hop[] } | undefined)?.hops ?? []) as Hop[]),
  ];
  for (const line of all.map(hopLine)) hops.set(line.key, line);
  const lines = [...told, ...hops.values()];
  return lines
    .map((line, order) => ({ line, order }))
    .sort((a, b) => b.line.at - a.line.at || b.order - a.order)
    .map(({ line }) => line);
}
