import { closest } from '../base/closest.ts';
import { SylkError } from '../base/errors.ts';
import { once } from '../base/once.ts';
import type { AnyOperation } from './operation.ts';

/**
 * What exists, known without loading it: a command starts fast because only its own noun is imported.
 * `verbs` maps each operation to its command (`sylk <verb>`), or to null where `sylk call` is the way.
 * The contract test holds this table against the definitions.
 */
export interface Noun {
  noun: string;
  about: string;
  load: () => Promise<{ operations: AnyOperation[] }>;
  verbs: Record<string, string | null>;
  /** Alias → name. */
  aliases?: Record<string, string>;
}

export const nouns: Noun[] = [
  {
    noun: 'system',
    about: 'state of the index and of this installation',
    load: () => import('./system.ts'),
    verbs: { get_status: 'status' },
  },
  {
    noun: 'approvals',
    about: 'what waits for a person to approve, and which repositories are trusted',
    load: () => import('./approvals.ts'),
    verbs: {
      list_approvals: 'approvals',
      get_approval: 'approvals show',
      approve: 'approve',
      deny: 'deny',
      approve_reference_topic: 'ref approve',
      deny_reference_topic: 'ref deny',
      trust_repository: 'trust',
      untrust_repository: 'untrust',
      list_trusted_repositories: 'trusted',
    },
  },
  {
    noun: 'clients',
    about: 'Sylk in the coding clients of this machine',
    load: () => import('./clients.ts'),
    verbs: {
      list_mcp_clients: 'mcp clients',
      install_mcp_client: 'mcp install',
      uninstall_mcp_client: 'mcp uninstall',
    },
  },
  {
    noun: 'setup',
    about: 'preparing a repository and leaving it as it was',
    load: () => import('./setup.ts'),
    verbs: { init_repository: 'init', uninstall_sylk: 'uninstall', make_packaging: 'mcp package' },
  },
  {
    noun: 'conventions',
    about: 'how this project is written and run: tools, style, components, dependencies, design tokens',
    load: () => import('./conventions/index.ts'),
    verbs: {
      discover_tools: 'tools',
      choose_tool: 'tools choose',
      get_style_guide: 'style',
      check_dependency: 'dependency',
      get_design_tokens: 'tokens',
      find_design_token: 'tokens find',
      get_file: null,
      list_read_files: null,
      preview_edit: null,
    },
    aliases: { librarian_get_file: 'get_file' },
  },
];

/** Shown to every MCP client without asking. The rest is one `--toolsets` or one `enable_toolset` away. */
export const defaultTools = [
  'ask',
  'search',
  'search_all',
  'get_artifact',
  'get_provenance',
  'get_cochange',
  'get_symbol',
  'get_dependents',
  'query_graph',
  'get_briefing',
  'store_entry',
  'get_next_task',
  'browse_skills',
  'load_skill',
  'reference_search',
];

const loaded = new Map<string, () => Promise<AnyOperation[]>>();

function operationsOf(noun: Noun): Promise<AnyOperation[]> {
  let load = loaded.get(noun.noun);
  if (!load) {
    load = once(async () => (await noun.load()).operations);
    loaded.set(noun.noun, load);
  }
  return load();
}

export async function allOperations(): Promise<AnyOperation[]> {
  return (await Promise.all(nouns.map(operationsOf))).flat();
}

export const operationNames = (): string[] => nouns.flatMap((noun) => Object.keys(noun.verbs));

export async function findOperation(name: string): Promise<AnyOperation> {
  for (const noun of nouns) {
    const canonical = noun.aliases?.[name] ?? name;
    if (!(canonical in noun.verbs)) continue;
    const found = (await operationsOf(noun)).find((operation) => operation.name === canonical);
    if (found) return found;
  }
  const near = closest(name, operationNames());
  throw new SylkError('NOT_FOUND', `There is no operation ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: near ? `Did you mean ${near}?` : '`sylk help` lists them all.',
  });
}
