/** A name that stands for an operation, from a design document or an earlier release. It works on every surface. */
export interface Spelling {
  operation: string;
  /** Inputs that the name stands for. */
  set?: Readonly<Record<string, unknown>>;
  /** Input under this name → input of the operation. */
  rename?: Readonly<Record<string, string>>;
  /** Inputs that are accepted and have no effect. */
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
  of: Readonly<Record<string, Spelling>>;
  command?: string;
  positionals?: readonly string[];
}

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
  conflict_resolution: { operation: 'resolve_entry_conflict' },
  cross_session_query: { operation: 'search_history' },
  fact_extraction: { operation: 'extract_facts' },
  promote_pattern: { operation: 'promote' },
  query: { operation: 'search_history' },
  store: { operation: 'store_entry' },
  store_summary: { operation: 'store_entry' },
  // sessions
  session_list: { operation: 'list_sessions' },
  session_switch: { operation: 'switch_session' },
  // work
  get_tag_usage: { operation: 'get_work_tag_usage' },
  rename_tag: { operation: 'rename_work_tag' },
  // references
  best_practices: { operation: 'find_best_practices' },
  compare: { operation: 'compare_approaches' },
};

/** Spellings of one input, on every operation that has the input on the right and not the one on the left. */
export const inputSpellings: Readonly<Record<string, string>> = {
  session_id: 'session',
  file_path: 'path',
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
