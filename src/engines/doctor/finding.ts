import { messageOf, SylkError } from '../../base/errors.ts';
import table from './findings.json' with { type: 'json' };

/** One thing that was looked at. `problem` always carries a `fix`; `note` is worth knowing and harms nothing yet. */
export interface Finding {
  id: string;
  title: string;
  state: 'ok' | 'note' | 'problem' | 'fixed';
  detail: string;
  /** What to do, as a command or one sentence. */
  fix?: string | undefined;
}

/** A finding that can be put right without asking: nothing that a person or an agent wrote is touched. */
export interface Repairable extends Finding {
  repair?: (() => string | Promise<string>) | undefined;
}

/** A row of findings.json; what follows `/` tells rows of one id apart. */
export type FindingKey = keyof typeof table;

/** `{name}` in the id and the texts of a row is taken from the values. */
export function finding(key: FindingKey, values: object = {}, repair?: Repairable['repair']): Repairable {
  const known = new Map<string, unknown>(Object.entries(values));
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => String(known.get(name)));
  const [state, title = '', detail = '', fix] = table[key];
  return {
    id: fill(key.replace(/\/.*/, '')),
    title: fill(title),
    state: state === 'ok' || state === 'note' ? state : 'problem',
    detail: fill(detail),
    fix: fix === undefined ? undefined : fill(fix),
    repair,
  };
}

/** What an error says and how to go on: its own hint, or else the given one. */
export const failureOf = (error: unknown, otherwise: string): { why: string; fix: string } => ({
  why: messageOf(error),
  fix: (error instanceof SylkError ? error.hint : undefined) ?? otherwise,
});

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
