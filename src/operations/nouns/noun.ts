import type { AnyDefinition } from '../operation.ts';

/**
 * The operations, without loading them: a command starts fast because it imports only its own noun.
 * `verbs` maps each operation to its command (`sylk <verb>`), or to null where only `sylk call` reaches it.
 * The contract test compares this table with the definitions.
 */
export interface Noun {
  noun: string;
  about: string;
  /** The group that `--toolsets` names; the noun itself when omitted. */
  toolset?: string;
  load: () => Promise<{ operations: AnyDefinition[] }>;
  verbs: Record<string, string | null>;
}
