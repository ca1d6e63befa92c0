import { z } from 'zod';

/** The kind of a ref in the map: `file:…`, `symbol:…`, `atom:…` and so on. */
export const nodeKinds = ['file', 'symbol', 'commit', 'area', 'entry', 'task', 'topic', 'skill'] as const;
export type NodeKind = (typeof nodeKinds)[number];

const kindOfPrefix: Record<string, NodeKind> = {
  file: 'file',
  symbol: 'symbol',
  commit: 'commit',
  atom: 'area',
  molecule: 'area',
  entry: 'entry',
  task: 'task',
  feature: 'task',
  topic: 'topic',
  skill: 'skill',
};

/** Undefined for refs that the map does not show. */
export const kindOf = (ref: string): NodeKind | undefined =>
  kindOfPrefix[ref.slice(0, Math.max(0, ref.indexOf(':')))];

/** `current`: matches its source. `stale`: the source changed. `gone`: the ref no longer resolves. */
export const nodeStates = ['current', 'stale', 'superseded', 'disputed', 'done', 'gone', 'unknown'] as const;

export const nodeRecord = z.object({
  ref: z.string(),
  kind: z.enum(nodeKinds),
  title: z.string(),
  detail: z.string(),
  trust: z.number().describe('0–100: 100 is code'),
  trust_name: z.string(),
  state: z.enum(nodeStates),
  state_reason: z.string(),
  provenance: z.string().describe('origin: author, time, commit or source'),
  updated: z.number().nullable().describe('seconds since 1970'),
});
export type NodeRecord = z.output<typeof nodeRecord>;

export const linkRecord = z.object({
  source: z.string(),
  target: z.string(),
  type: z.string(),
  weight: z.number().describe('0–1: strength of the relation'),
  reason: z.string(),
});
export type LinkRecord = z.output<typeof linkRecord>;
