import { z } from 'zod';
import type { App } from '../app.ts';
import { allOperations } from './list.ts';
import { type AnyOperation, type Caller, isForPersons } from './operation.ts';
import { type Outcome, runOperation } from './run.ts';

/** What an agent of ours may call: the registry, cut to its role and to the work at hand. */
export interface Toolbox {
  tools: Array<{ name: string; description: string; inputSchema: unknown }>;
  call(name: string, input: unknown, signal?: AbortSignal): Promise<Outcome>;
}

export interface ToolboxRequest {
  domains?: string[];
  /** `core` is always there; `contextual` tools come when one of these words is theirs; `specialised` by name only. */
  words?: string[];
  names?: string[];
}

export async function createToolbox(app: App, caller: Caller, request: ToolboxRequest): Promise<Toolbox> {
  const operations = (await allOperations()).filter((operation) => offered(operation, caller, request));
  operations.sort((a, b) => (b.priority ?? 50) - (a.priority ?? 50) || (a.name < b.name ? -1 : 1));
  const names = new Set(operations.map((operation) => operation.name));
  return {
    tools: operations.map((operation) => ({
      name: operation.name,
      description: operation.summary,
      inputSchema: z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }),
    })),
    call: async (name, input, signal) => {
      if (!names.has(name)) {
        return {
          ok: false,
          error: {
            code: 'DENIED',
            message: `${name} is not in this toolbox.`,
            hint: `Tools: ${[...names].join(', ')}`,
          },
        };
      }
      return runOperation(app, { name, input, caller, ...(signal ? { signal } : {}) });
    },
  };
}

function offered(
  operation: AnyOperation,
  caller: Caller,
  { domains, words = [], names = [] }: ToolboxRequest,
): boolean {
  if (isForPersons(operation) || (caller.readOnly && operation.effect !== 'read')) return false;
  if (names.includes(operation.name)) return true;
  if (operation.requiresExplicit || (domains && !domains.includes(operation.domain))) return false;
  if (operation.tier === 'core') return true;
  const wanted = new Set(words.map((word) => word.toLowerCase()));
  return (
    operation.tier === 'contextual' && operation.keywords.some((keyword) => wanted.has(keyword.toLowerCase()))
  );
}
