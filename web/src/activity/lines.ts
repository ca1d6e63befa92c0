import type { LiveEvent } from '../api/events.ts';
import { visible } from '../api/visible.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';

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
  message_id: string;
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

const hopLine = (hop: Hop): Line => ({
  key: `${hop.message_id} ${hop.target} ${hop.attempt} ${hop.status} ${hop.at}`,
  type: 'guide',
  at: Date.parse(hop.at),
  text: visible(hopText(hop)),
  state: hop.status,
  raw: hop,
});

function eventText(type: string, facts: Record<string, unknown>): string {
  if (type === 'index') return `${facts['source']}: ${count(Number(facts['changed'] ?? 0), 'change')} read`;
  if (type === 'memory') return `remembered as ${String(facts['category']).replaceAll('_', ' ')}`;
  return Object.entries(facts)
    .filter(([, value]) => typeof value !== 'object')
    .slice(0, 6)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

const lineOf = ({ id, type, at, data }: LiveEvent): Line => {
  const facts = (data ?? {}) as Record<string, unknown>;
  const to = type === 'memory' && typeof facts['id'] === 'string' ? { to: links.entry(facts['id']) } : {};
  return { key: String(id), type, at, text: visible(eventText(type, facts)), raw: data, ...to };
};

/** What was told live and what the trace kept from before, each once, latest first. */
export function linesOf(heard: readonly LiveEvent[], kept: readonly Hop[], type: string): Line[] {
  const wanted = heard.filter((event) => type === '' || event.type === type);
  const told = wanted.filter((event) => event.type !== 'guide').map(lineOf);
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
