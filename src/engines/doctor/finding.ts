import { messageOf, SylkError } from '../../base/errors.ts';
import table from './findings.json' with { type: 'json' };

/** One check. A `problem` always has a `fix`; a `note` is worth knowing and harmless. */
export interface Finding {
  id: string;
  title: string;
  state: 'ok' | 'note' | 'problem' | 'fixed';
  detail: string;
  /** What to do, as a command or one sentence. */
  fix?: string | undefined;
}

/** A finding that can be repaired without asking: nothing that a person or an agent wrote is touched. */
export interface Repairable extends Finding {
  repair?: (() => string | Promise<string>) | undefined;
}

/** A row of findings.json; the part after `/` distinguishes rows of one id. */
export type FindingKey = keyof typeof table;

/** `{name}` in the id and the texts of a row is replaced from the values. */
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

/** The message of an error and the next step: its own hint, or the given one. */
export const failureOf = (error: unknown, otherwise: string): { why: string; fix: string } => ({
  why: messageOf(error),
  fix: (error instanceof SylkError ? error.hint : undefined) ?? otherwise,
});

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
