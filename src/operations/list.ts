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
    noun: 'bus',
    about: 'messages between agents: what waits, what passed, what died',
    load: () => import('./bus.ts'),
    verbs: {
      send_message: 'guide send',
      broadcast: 'guide broadcast',
      guide_trace: 'guide trace',
      guide_health: 'guide health',
      list_dead_letters: 'guide dead-letters',
      replay_dead_letter: 'guide replay',
      bus_statistics: 'guide statistics',
    },
  },
  {
    noun: 'routing',
    about: 'the Guide: say anything, it goes to whoever answers it',
    load: () => import('./routing/index.ts'),
    verbs: {
      route: 'guide route',
      classify: 'guide classify',
      help: 'guide help',
      status: 'guide status',
    },
    aliases: {
      guide_route_message: 'route',
      guide_classify_intent: 'classify',
      guide_get_status: 'status',
    },
  },
  {
    noun: 'academic',
    about: 'research over the references, beside what this repository does',
    load: () => import('./academic/index.ts'),
    verbs: {
      research: 'research',
      find_best_practices: 'research practices',
      find_papers: 'research papers',
      compare_approaches: 'research compare',
      synthesize_with_codebase: 'research here',
      get_code_for_academic: 'research code',
      get_history_for_academic: 'research history',
      list_academic_sources: 'research sources',
      get_library_docs: 'research library',
      ingest_source: 'research ingest',
      design_proposal: 'research proposal',
    },
    aliases: { best_practices: 'find_best_practices', compare: 'compare_approaches' },
  },
  {
    noun: 'references',
    about: 'libraries and documents gathered from git and the web, searchable',
    load: () => import('./references/index.ts'),
    verbs: {
      reference_search: 'ref search',
      reference_topic_create: 'ref create',
      reference_topic_search: 'ref find',
      reference_topic_list: 'ref list',
      reference_topic_update: 'ref update',
      get_recent_topics: 'ref recent',
      reference_topic_refresh: 'ref refresh',
      reference_topic_delete: 'ref delete',
      reference_topic_show: 'ref show',
    },
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
      install_client_hooks: 'hooks install client',
      uninstall_client_hooks: 'hooks uninstall client',
      run_client_hook: null,
    },
  },
  {
    noun: 'doctor',
    about: 'whether this installation is well, and what it said',
    load: () => import('./doctor.ts'),
    verbs: { run_doctor: 'doctor', read_logs: 'logs', collect_debug_bundle: 'debug bundle' },
  },
  {
    noun: 'setup',
    about: 'preparing a repository and leaving it as it was',
    load: () => import('./setup.ts'),
    verbs: { init_repository: 'init', uninstall_sylk: 'uninstall', make_packaging: 'mcp package' },
  },
  {
    noun: 'library',
    about: 'copies of what people and agents wrote',
    load: () => import('./library.ts'),
    verbs: {
      backup_library: 'backup',
      restore_library: 'restore',
      export_memory: 'export',
      import_memory: 'import',
    },
  },
  {
    noun: 'memory',
    about: 'what was decided, tried, learnt and left open',
    load: () => import('./memory/index.ts'),
    verbs: {
      store_entry: 'memory add',
      record_pattern: null,
      record_failure: null,
      record_file: null,
      search_history: 'memory search',
      get_entry: 'memory show',
      get_decisions: 'memory decisions',
      find_failures: 'memory failures',
      find_patterns: null,
      get_session_history: 'memory session',
      get_code_for_history: 'memory code',
      extract_facts: null,
      get_briefing: 'brief',
      scratchpad_write: null,
      scratchpad_read: 'memory notes',
      check_mistakes: 'memory check',
      report_mistake: null,
      get_preferences: 'memory preferences',
      set_preference: 'memory prefer',
      report_feedback: null,
      save_checkpoint: null,
      resume_task: 'memory resume',
      promote: 'memory promote',
      rollback_promotion: 'memory rollback',
      approve_entry: 'memory approve',
      record_use: null,
      list_entry_conflicts: 'memory conflicts',
      resolve_entry_conflict: 'memory settle',
      forget: 'forget',
      verify_entries: 'memory verify',
    },
    aliases: {
      store: 'store_entry',
      archivalist_store_entry: 'store_entry',
      store_summary: 'store_entry',
      archivalist_record_pattern: 'record_pattern',
      archivalist_record_failure: 'record_failure',
      archivalist_record_file: 'record_file',
      query: 'search_history',
      archivalist_query_chronicle: 'search_history',
      cross_session_query: 'search_history',
      fact_extraction: 'extract_facts',
      briefing: 'get_briefing',
      archivalist_get_briefing: 'get_briefing',
      promote_pattern: 'promote',
      conflict_resolution: 'resolve_entry_conflict',
    },
  },
  {
    noun: 'graph',
    about: 'how things hang together across code, memory and references, and what is disputed',
    load: () => import('./graph/index.ts'),
    verbs: {
      link_refs: 'graph link',
      unlink_refs: 'graph unlink',
      traverse: 'graph traverse',
      get_sources: 'graph sources',
      get_references_for_code: 'graph references',
      get_references_for_decision: 'graph grounds',
      get_patterns_for_code: 'graph patterns',
      get_decision_sources: 'graph why',
      get_changed_code: 'graph changed',
      get_issues_for_code: 'graph issues',
      search_with_context: 'graph search',
      answer_across: 'graph ask',
      list_conflicts: 'graph conflicts',
      resolve_conflict: 'graph resolve',
      review_queue: 'graph review',
      confirm_entry: 'graph confirm',
      set_expiry: 'graph expire',
      archive_refs: 'graph archive',
      restore_refs: 'graph restore',
    },
    aliases: {
      get_academic_for_code: 'get_references_for_code',
      get_academic_for_decision: 'get_references_for_decision',
    },
  },
  {
    noun: 'sessions',
    about: 'pieces of work side by side',
    load: () => import('./sessions.ts'),
    verbs: {
      create_session: 'session new',
      list_sessions: 'session list',
      get_session: 'session show',
      activate_session: 'session activate',
      resume_session: 'session resume',
      fail_session: 'session fail',
      suspend_session: 'session suspend',
      complete_session: 'session complete',
      close_session: 'session close',
      close_all_sessions: 'session close-all',
      switch_session: 'session switch',
      update_session_context: null,
      session_summary: 'session summary',
      snapshot_session: 'session snapshot',
      restore_session: 'session restore',
      session_statistics: 'session statistics',
      lock_files: 'session lock',
      unlock_files: 'session unlock',
      open_session_worktree: 'session worktree',
      merge_session: 'session merge',
      remove_session_worktree: 'session remove-worktree',
    },
    aliases: { session_list: 'list_sessions', session_switch: 'switch_session' },
  },
  {
    noun: 'recall',
    about: 'one question over code, commits and everything else that is indexed',
    load: () => import('./recall/index.ts'),
    verbs: {
      ask: 'ask',
      search: 'search',
      search_all: null,
      smart_search: null,
      similar: 'similar',
      find_similar_symbols: null,
      explain_ranking: 'explain',
      cache_stats: 'cache',
      clear_cache: 'cache clear',
    },
    aliases: { kiste_search: 'search' },
  },
  {
    noun: 'history',
    about: 'what happened to files, why, and what changes with them',
    load: () => import('./history/index.ts'),
    verbs: {
      get_artifact: 'show',
      get_provenance: 'why',
      get_cochange: 'cochange',
      list_artifacts: 'query',
      list_tags: 'tags',
      get_commit: 'commit',
      suggest_touches: 'touches',
      get_repository_summary: 'summary',
      create_snapshot: 'snapshot',
      list_snapshots: 'snapshot list',
      restore_snapshot: 'snapshot restore',
      install_git_hooks: 'hooks install git',
      uninstall_git_hooks: 'hooks uninstall git',
      suggest_commit_tags: 'commit-tags',
      index_history: null,
    },
    aliases: {
      varp_suggest_touches: 'suggest_touches',
      kiste_get_artifact: 'get_artifact',
      kiste_get_provenance: 'get_provenance',
      kiste_get_cochange: 'get_cochange',
      kiste_list_artifacts: 'list_artifacts',
      kiste_list_tags: 'list_tags',
    },
  },
  {
    noun: 'skills',
    about: 'instructions for tasks, from this repository, from you, from your team and built in',
    load: () => import('./skills/index.ts'),
    verbs: {
      browse_skills: 'skills browse',
      load_skill: 'skills load',
      list_skill_resources: 'skills files',
      read_skill_resource: 'skills read',
      list_skills: 'skills list',
      search_skills: 'skills search',
      show_skill: 'skills show',
      check_skills: 'skills check',
      lock_skills: 'skills lock',
      verify_skills: 'skills verify',
      trust_skills: 'skills trust',
      list_skill_sources: 'skills sources',
      prepare_turn: 'skills turn',
      answer_skills_request: null,
    },
  },
  {
    noun: 'work',
    about: 'projects, features and tasks: plan, claim, advance',
    load: () => import('./work/index.ts'),
    verbs: {
      create_work_tree: 'work plan',
      get_work_tree: 'work tree',
      get_work_board: 'work board',
      get_work_graph: 'work graph',
      query_container: 'work query',
      manage_container: 'work manage',
      show_work: 'work show',
      query_sections: 'work sections',
      manage_sections: 'work section',
      query_templates: 'work templates',
      manage_template: 'work template',
      apply_template: 'work apply-template',
      list_work_tags: 'work tags',
      get_work_tag_usage: 'work tag-usage',
      rename_work_tag: 'work rename-tag',
      get_next_task: 'work next',
      get_next_feature: 'work next-feature',
      get_blocked_tasks: 'work blocked',
      get_blocked_features: 'work blocked-features',
      claim_task: 'work claim',
      query_workflow_state: 'work state',
      query_dependencies: 'work dependencies',
      manage_dependency: 'work depend',
      advance: 'work advance',
      revert: 'work revert',
      terminate: 'work terminate',
      block: 'work block',
      unblock: 'work unblock',
      sync: 'work sync',
      changes_since: 'work changes',
      search_work: 'work search',
      export_knowledge: 'work export',
      import_knowledge: 'work import',
      import_tasks: 'work import-tasks',
    },
    aliases: { rename_tag: 'rename_work_tag', get_tag_usage: 'get_work_tag_usage' },
  },
  {
    noun: 'areas',
    about: 'what the team knows about areas of the code',
    load: () => import('./areas/index.ts'),
    verbs: {
      query_graph: 'areas query',
      manage_graph: 'areas manage',
      manage_changelog: 'areas changelog',
      get_area_context: 'areas context',
      list_areas: 'areas list',
      get_stale_areas: 'areas stale',
      get_area_coverage: 'areas coverage',
      suggest_areas: 'areas suggest',
      read_area_text: 'areas show',
      write_area_text: 'areas write',
    },
  },
  {
    noun: 'map',
    about: 'what has to do with what, over code, history, areas, memory, work and references',
    load: () => import('./map.ts'),
    verbs: { get_neighbourhood: 'around', get_repository_map: 'map' },
  },
  {
    noun: 'conventions',
    about: 'how this project is written and run: tools, style, components, dependencies, design tokens',
    load: () => import('./conventions/index.ts'),
    verbs: {
      discover_tools: 'tools',
      choose_tool: 'tools choose',
      get_style_guide: 'style',
      find_component: 'components',
      check_dependency: 'dependency',
      get_design_tokens: 'tokens',
      find_design_token: 'tokens find',
      get_file: null,
      list_read_files: null,
      preview_edit: null,
    },
    aliases: { librarian_get_file: 'get_file' },
  },
  {
    noun: 'code',
    about: 'symbols, who calls them, what they depend on, how the code is laid out',
    load: () => import('./code/index.ts'),
    verbs: {
      search_code: 'code',
      get_symbol: 'symbol',
      get_file_symbols: 'outline',
      get_context: 'context',
      get_dependencies: 'dependencies',
      get_dependents: 'callers',
      get_impact: 'impact',
      get_history_for_code: 'story',
      list_files: 'files',
      get_structure: 'structure',
      analyze_dependencies: 'imports',
      detect_patterns: 'patterns',
      index_repository: 'index',
    },
    aliases: {
      librarian_search_code: 'search_code',
      librarian_get_structure: 'get_structure',
      librarian_get_dependencies: 'get_dependencies',
    },
  },
  {
    noun: 'routing',
    about: 'the Guide: say anything, it goes to whoever answers it',
    load: () => import('./routing/index.ts'),
    verbs: {
      route: 'guide route',
      classify: 'guide classify',
      help: 'guide help',
      status: 'guide status',
    },
    aliases: {
      guide_route_message: 'route',
      guide_classify_intent: 'classify',
      guide_get_status: 'status',
    },
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
