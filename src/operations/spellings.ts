/** A name that stands for an operation, from a design document or an earlier release. It works on every surface. */
export interface Spelling {
  operation: string;
  /** Inputs that the name stands for. */
  set?: Readonly<Record<string, unknown>>;
  /** Input under this name → input of the operation. */
  rename?: Readonly<Record<string, string>>;
  /** Inputs that must be given under this name. */
  require?: readonly string[];
  /** Inputs that are accepted under this name and have no effect where the operation lacks them. */
  ignore?: readonly string[];
  /** `sylk <command>` that means this name, and the inputs it takes without a flag where they differ. */
  command?: string;
  positionals?: readonly string[];
}

/** A name whose input `choose` says which operation is meant. */
export interface SpellingByInput {
  choose: string;
  /** The value where the input is left out. */
  default?: string;
  /** Value → row. The row `*` is for any other value, and leaves the input as it is. */
  of: Readonly<Record<string, Spelling>>;
  ignore?: readonly string[];
  command?: string;
  positionals?: readonly string[];
}

const changeOf = (change: string): Spelling => ({
  operation: 'update_session',
  set: { change },
  require: ['id'],
  command: `session ${change}`,
  positionals: ['id'],
});

/**
 * The only table of names and spellings. A row may lead to a name that is itself a row. Inputs in camelCase are read as
 * snake_case without a row.
 */
export const spellings: Readonly<Record<string, Spelling | SpellingByInput>> = {
  // history
  kiste_get_artifact: { operation: 'get_artifact' },
  kiste_get_cochange: { operation: 'get_cochange' },
  kiste_get_provenance: { operation: 'get_provenance' },
  kiste_list_artifacts: { operation: 'list_artifacts' },
  kiste_list_tags: { operation: 'list_tags' },
  kiste_search: { operation: 'search' },
  varp_suggest_touches: { operation: 'suggest_touches' },
  // code and conventions
  librarian_get_dependencies: { operation: 'get_dependencies' },
  librarian_get_file: { operation: 'get_file' },
  librarian_get_structure: { operation: 'get_structure' },
  librarian_search_code: { operation: 'search_code' },
  // graph
  get_academic_for_code: { operation: 'get_references_for_code' },
  get_academic_for_decision: { operation: 'get_references_for_decision' },
  get_references_for_code: { operation: 'get_references', set: { of: 'code' } },
  get_references_for_decision: {
    operation: 'get_references',
    set: { of: 'decision' },
    command: 'graph grounds',
  },
  get_patterns_for_code: {
    operation: 'answer_across',
    set: { kind: 'patterns' },
    require: ['subject'],
    command: 'graph patterns',
    positionals: ['subject'],
  },
  get_decision_sources: {
    operation: 'answer_across',
    set: { kind: 'decision' },
    require: ['subject'],
    command: 'graph why',
    positionals: ['subject'],
  },
  get_changed_code: {
    operation: 'answer_across',
    set: { kind: 'changes' },
    require: ['subject'],
    command: 'graph changed',
    positionals: ['subject'],
  },
  get_issues_for_code: {
    operation: 'answer_across',
    set: { kind: 'issues' },
    rename: { symbol: 'subject' },
    require: ['symbol'],
    command: 'graph issues',
    positionals: ['symbol'],
  },
  restore_refs: { operation: 'archive_refs', set: { restore: true }, command: 'graph restore' },
  // routing
  guide_classify_intent: { operation: 'classify' },
  guide_get_status: { operation: 'status' },
  guide_route_message: { operation: 'route' },
  // memory
  archivalist_get_briefing: { operation: 'get_briefing' },
  archivalist_query_chronicle: { operation: 'search_history' },
  archivalist_record_failure: { operation: 'record_failure' },
  archivalist_record_file: { operation: 'record_file' },
  archivalist_record_pattern: { operation: 'record_pattern' },
  archivalist_store_entry: { operation: 'store_entry' },
  briefing: { operation: 'get_briefing' },
  approve_entry: { operation: 'promote', set: { change: 'approve' }, command: 'memory approve' },
  confirm_preference: {
    operation: 'decide_preference',
    set: { answer: 'confirmed' },
    command: 'preferences confirm',
    positionals: ['id'],
  },
  conflict_resolution: { operation: 'resolve_entry_conflict' },
  cross_session_query: { operation: 'search_history' },
  fact_extraction: { operation: 'extract_facts' },
  find_failures: {
    operation: 'search_history',
    set: { category: 'failure', cross_session: true },
    require: ['query'],
    command: 'memory failures',
  },
  get_code_for_history: {
    operation: 'get_entry',
    set: { code: true },
    rename: { history_id: 'id' },
    command: 'memory code',
    positionals: ['history_id'],
  },
  get_decisions: {
    operation: 'search_history',
    set: { category: 'decision', cross_session: true },
    require: ['query'],
    command: 'memory decisions',
  },
  list_entry_conflicts: {
    operation: 'list_conflicts',
    rename: { include_resolved: 'resolved' },
    command: 'memory conflicts',
  },
  promote_pattern: { operation: 'promote' },
  record_failure: {
    operation: 'store_entry',
    set: { category: 'failure' },
    rename: { approach: 'title', reason: 'content', context: 'details' },
    require: ['approach', 'reason'],
  },
  record_pattern: {
    operation: 'store_entry',
    set: { category: 'pattern' },
    rename: { name: 'title', pattern: 'content', example: 'details', category: 'tags' },
    require: ['category', 'name', 'pattern'],
  },
  reject_preference: {
    operation: 'decide_preference',
    set: { answer: 'rejected' },
    command: 'preferences reject',
    positionals: ['id'],
  },
  resolve_entry_conflict: { operation: 'resolve_conflict', command: 'memory settle' },
  rollback_promotion: { operation: 'promote', set: { change: 'take_back' }, command: 'memory rollback' },
  query: { operation: 'search_history' },
  store: { operation: 'store_entry' },
  store_summary: { operation: 'store_entry' },
  // sessions
  activate_session: changeOf('activate'),
  close_all_sessions: { operation: 'close_sessions' },
  close_session: changeOf('close'),
  complete_session: changeOf('complete'),
  fail_session: changeOf('fail'),
  merge_session: { operation: 'session_worktree', set: { action: 'merge' }, command: 'session merge' },
  open_session_worktree: { operation: 'session_worktree', set: { action: 'open' } },
  remove_session_worktree: {
    operation: 'session_worktree',
    set: { action: 'remove' },
    command: 'session remove-worktree',
  },
  restore_session: {
    operation: 'snapshot_session',
    rename: { snapshot_id: 'restore' },
    require: ['snapshot_id'],
    command: 'session restore',
    positionals: ['snapshot_id'],
  },
  resume_session: changeOf('resume'),
  session_list: { operation: 'list_sessions' },
  session_statistics: { operation: 'list_sessions', command: 'session statistics' },
  session_summary: { operation: 'get_session', command: 'session summary' },
  session_switch: { operation: 'switch_session' },
  suspend_session: changeOf('suspend'),
  switch_session: changeOf('switch'),
  unlock_files: { operation: 'lock_files', set: { mode: 'unlock' }, command: 'session unlock' },
  update_session_context: { operation: 'update_session', require: ['context'] },
  // work
  advance: {
    operation: 'move_work',
    set: { to: 'next' },
    command: 'work advance',
    positionals: ['id', 'version'],
  },
  apply_template: {
    operation: 'save_sections',
    rename: { template_id: 'template' },
    require: ['template_id'],
    command: 'work apply-template',
    positionals: ['template_id', 'entity_type', 'entity_id'],
  },
  block: { operation: 'block_work', set: { remove: false }, command: 'work block' },
  claim_task: {
    choose: 'operation',
    default: 'claim',
    of: {
      claim: { operation: 'claim_work', set: { claim_token: undefined } },
      renew: { operation: 'claim_work', require: ['id', 'claim_token'] },
      release: { operation: 'claim_work', require: ['id', 'claim_token'], set: { release: true } },
    },
  },
  get_blocked_features: {
    operation: 'list_work',
    set: { blocked: true, type: 'feature' },
    command: 'work blocked-features',
  },
  get_blocked_tasks: {
    operation: 'list_work',
    set: { blocked: true, type: 'task' },
    command: 'work blocked',
  },
  get_next_feature: { operation: 'get_next_task', set: { type: 'feature' }, command: 'work next-feature' },
  get_tag_usage: { operation: 'get_work_tag_usage' },
  get_work_tag_usage: { operation: 'list_work_tags', require: ['tag'], command: 'work tag-usage' },
  get_work_tree: { operation: 'get_work_graph', command: 'work tree' },
  manage_container: {
    choose: 'operation',
    of: {
      create: { operation: 'save_work', ignore: ['version', 'related_to'], set: { version: undefined } },
      update: { operation: 'save_work', require: ['id', 'version'] },
      delete: { operation: 'delete_work' },
    },
    ignore: [
      'name',
      'title',
      'summary',
      'description',
      'priority',
      'complexity',
      'project_id',
      'feature_id',
      'tags',
      'related_to',
      'version',
      'cascade',
      'status',
    ],
    command: 'work manage',
  },
  manage_dependency: {
    choose: 'operation',
    of: {
      create: { operation: 'link_work', set: { remove: false } },
      delete: { operation: 'link_work', set: { remove: true } },
    },
    ignore: ['id', 'container_type'],
    command: 'work depend',
    positionals: ['operation', 'from_id', 'type', 'to_id'],
  },
  manage_sections: {
    choose: 'operation',
    of: {
      add: { operation: 'save_sections', set: { section_id: undefined, sections: undefined } },
      update: { operation: 'save_sections', require: ['section_id', 'version'] },
      updateText: { operation: 'save_sections', require: ['section_id', 'version', 'content'] },
      delete: {
        operation: 'delete_work',
        rename: { section_id: 'id', entity_id: 'container_id' },
        require: ['section_id'],
        set: { type: 'section' },
      },
      reorder: { operation: 'save_sections', require: ['ordered_ids'] },
      bulkCreate: { operation: 'save_sections', require: ['sections'] },
      bulkDelete: {
        operation: 'delete_work',
        rename: { section_ids: 'ids', entity_id: 'container_id' },
        require: ['section_ids'],
        set: { type: 'section' },
      },
    },
    ignore: [
      'entity_type',
      'entity_id',
      'title',
      'usage_description',
      'content',
      'content_format',
      'tags',
      'ordinal',
      'version',
      'ordered_ids',
      'sections',
      'section_ids',
      'section_id',
    ],
    command: 'work section',
  },
  manage_template: {
    choose: 'operation',
    of: {
      create: { operation: 'save_template', set: { id: undefined, title: undefined } },
      update: { operation: 'save_template', require: ['id'], set: { title: undefined } },
      delete: { operation: 'delete_work', set: { type: 'template' } },
      enable: { operation: 'save_template', require: ['id'], set: { is_enabled: true } },
      disable: { operation: 'save_template', require: ['id'], set: { is_enabled: false } },
      addSection: { operation: 'save_template', require: ['id', 'title'] },
    },
    ignore: [
      'name',
      'description',
      'target_entity_type',
      'is_built_in',
      'is_protected',
      'created_by',
      'tags',
      'title',
      'usage_description',
      'content_sample',
      'content_format',
      'is_required',
      'ordinal',
    ],
    command: 'work template',
  },
  query_container: {
    choose: 'operation',
    of: {
      get: {
        operation: 'get_work',
        rename: { include_sections: 'sections', include_graph_context: 'context' },
      },
      search: { operation: 'list_work' },
      overview: { operation: 'overview_container' },
    },
    ignore: [
      'id',
      'query',
      'status',
      'priority',
      'tags',
      'project_id',
      'feature_id',
      'limit',
      'offset',
      'cursor',
      'max_tokens',
      'include_sections',
      'include_graph_context',
    ],
    command: 'work query',
  },
  overview_container: {
    choose: 'id',
    default: '',
    of: {
      '': { operation: 'list_work' },
      '*': { operation: 'get_work', rename: { include_sections: 'sections' }, set: { children: true } },
    },
  },
  query_dependencies: {
    operation: 'get_work',
    set: { dependencies: true },
    command: 'work dependencies',
    positionals: ['container_type', 'id'],
  },
  query_sections: {
    operation: 'get_work',
    set: { sections: true },
    command: 'work sections',
    positionals: ['entity_type', 'entity_id'],
  },
  query_templates: {
    choose: 'operation',
    default: 'list',
    of: {
      get: { operation: 'list_templates', require: ['id'] },
      list: { operation: 'list_templates', set: { id: undefined } },
    },
  },
  query_workflow_state: {
    operation: 'get_work',
    set: { state: true },
    command: 'work state',
    positionals: ['container_type', 'id'],
  },
  rename_tag: { operation: 'rename_work_tag' },
  revert: {
    operation: 'move_work',
    set: { to: 'previous' },
    command: 'work revert',
    positionals: ['id', 'version'],
  },
  show_work: { operation: 'get_work', set: { sections: true, context: true } },
  sync: { operation: 'sync_pipelines' },
  terminate: {
    operation: 'move_work',
    set: { to: 'abandoned' },
    command: 'work terminate',
    positionals: ['id', 'version', 'reason'],
  },
  unblock: { operation: 'block_work', set: { remove: true }, command: 'work unblock' },
  // areas
  manage_changelog: {
    choose: 'operation',
    of: {
      append: { operation: 'record_area_change', rename: { parent_type: 'type', parent_id: 'id' } },
      search: { operation: 'list_area_changes', rename: { parent_type: 'type', parent_id: 'id' } },
    },
    ignore: ['task_id', 'summary', 'limit', 'offset', 'cursor', 'max_tokens', 'actor', 'idempotency_key'],
  },
  manage_graph: {
    choose: 'operation',
    of: {
      create: { operation: 'save_area', set: { version: undefined, text: undefined } },
      update: { operation: 'save_area', require: ['id', 'version'] },
      delete: { operation: 'delete_area' },
    },
    ignore: [
      'project_id',
      'name',
      'paths',
      'knowledge',
      'knowledge_mode',
      'molecule_id',
      'related_atoms',
      'related_molecules',
      'created_by_task_id',
      'last_task_id',
      'cascade',
    ],
    command: 'areas manage',
  },
  query_graph: {
    choose: 'operation',
    of: {
      context: { operation: 'get_area_context' },
      get: { operation: 'get_area', require: ['id', 'entity_type'] },
      search: { operation: 'list_areas', require: ['entity_type'] },
    },
    ignore: [
      'entity_type',
      'id',
      'project_id',
      'paths',
      'query',
      'molecule_id',
      'orphans_only',
      'include_changelog',
      'changelog_limit',
      'limit',
      'offset',
      'cursor',
      'max_tokens',
    ],
    command: 'areas query',
  },
  read_area_text: { operation: 'get_area', rename: { kind: 'type' } },
  write_area_text: { operation: 'save_area', require: ['text'], command: 'areas write' },
  // skills
  list_skill_resources: {
    operation: 'read_skill_resource',
    set: { path: undefined },
    command: 'skills files',
  },
  search_skills: {
    operation: 'browse_skills',
    require: ['query'],
    command: 'skills search',
    positionals: ['query'],
  },
  // approvals
  approve_reference_topic: { operation: 'approve', command: 'ref approve' },
  deny_reference_topic: { operation: 'deny', command: 'ref deny' },
  // bus
  bus_statistics: { operation: 'guide_health', command: 'guide statistics' },
  // references
  best_practices: { operation: 'find_best_practices' },
  compare: { operation: 'compare_approaches' },
  design_proposal: {
    operation: 'research_here',
    set: { include_history: true },
    command: 'research proposal',
  },
  find_best_practices: {
    operation: 'research',
    rename: { topic: 'query' },
    set: { practices_only: true },
    command: 'research practices',
    positionals: ['topic'],
  },
  get_code_for_academic: {
    operation: 'get_topic_in_repository',
    rename: { academic_id: 'topic' },
    set: { side: 'code' },
    command: 'research code',
    positionals: ['academic_id'],
  },
  get_history_for_academic: {
    operation: 'get_topic_in_repository',
    rename: { academic_id: 'topic' },
    set: { side: 'history' },
    command: 'research history',
    positionals: ['academic_id'],
  },
  ingest_source: {
    operation: 'reference_topic_create',
    require: ['type', 'url'],
    command: 'research ingest',
    positionals: ['type', 'url'],
  },
  list_academic_sources: { operation: 'list_reference_sources' },
  reference_topic_search: { operation: 'reference_topic_list', require: ['query'], command: 'ref find' },
  synthesize_with_codebase: { operation: 'research_here' },
};

/** Spellings of one input, on every operation that has the input on the right and not the one on the left. */
export const inputSpellings: Readonly<Record<string, string>> = {
  container_type: 'type',
  entity_id: 'id',
  entity_type: 'type',
  file: 'path',
  file_path: 'path',
  session_id: 'session',
};

/** Spellings of one input on one operation; null for one that is accepted and has no effect. */
export const operationInputs: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  answer_across: { about: 'subject' },
  discover_tools: { requesting_agent: null, session: null },
  list_files: { file_pattern: 'pattern' },
  research: { topic: 'query' },
  search_code: { file_glob: 'file_pattern' },
};

/** Keys that MCP clients add to the arguments of every tool. They are dropped with a note; anything else is refused. */
export const clientExtras: Readonly<Record<string, string>> = {
  _meta: 'MCP clients that put it beside the arguments and into them',
  action: 'n8n',
  chatInput: 'n8n',
  sessionId: 'n8n',
  tool: 'n8n',
  toolCallId: 'n8n',
  tool_call_description: 'agent frameworks',
  toolAction: 'Antigravity',
  toolSummary: 'Antigravity',
  user_context: 'agent platforms',
  waitForPreviousTools: 'Antigravity',
  wait_for_previous: 'Gemini CLI',
};
