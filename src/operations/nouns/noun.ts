import type { AnyDefinition } from '../operation.ts';

/**
 * What exists, known without loading it: a command starts fast because only its own noun is imported.
 * `verbs` maps each operation to its command (`sylk <verb>`), or to null where `sylk call` is the way.
 * The contract test holds this table against the definitions.
 */
export interface Noun {
  noun: string;
  about: string;
  /** The group that `--toolsets` names; the noun itself when left out. */
  toolset?: string;
  load: () => Promise<{ operations: AnyDefinition[] }>;
  verbs: Record<string, string | null>;
}
