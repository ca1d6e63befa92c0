import type { Noun } from './noun.ts';

/** The installation itself, and permissions. */
export const running: Noun[] = [
  {
    noun: 'system',
    about: 'state of the index and of this installation',
    load: () => import('../system.ts'),
    verbs: {
      index_repository: 'index',
      get_status: 'status',
      list_calls: 'calls',
      cancel_call: 'calls cancel',
    },
  },
  {
    noun: 'check',
    about: "what a change broke, by the project's own tools",
    toolset: 'conventions',
    load: () => import('../check.ts'),
    verbs: { check_changes: 'check', last_checks: 'check last' },
  },
  {
    noun: 'runs',
    about: 'plans of work for several agents, and the progress of their runs',
    load: () => import('../runs.ts'),
    verbs: { check_plan: 'plan check', list_runs: 'runs', get_run: 'runs show' },
  },
  {
    noun: 'agents',
    about: 'agents that work on a task in a copy of the repository',
    load: () => import('../agents/index.ts'),
    verbs: { run_agent: 'agent', get_transcript: 'transcript' },
  },
  {
    noun: 'models',
    about: 'models, what they cost, and what they may cost',
    load: () => import('../models.ts'),
    verbs: {
      list_models: 'models',
      get_cost: 'cost',
      list_budgets: 'budget',
      set_budget: 'budget set',
    },
  },
  {
    noun: 'approvals',
    about: 'requests that wait for approval, and trusted repositories',
    load: () => import('../approvals.ts'),
    verbs: {
      list_approvals: 'approvals',
      approve: 'approve',
      trust_repository: 'trust',
      untrust_repository: 'untrust',
      list_trusted_repositories: 'trusted',
    },
  },
  {
    noun: 'clients',
    about: 'Sylk in the coding clients of this machine',
    toolset: 'setup',
    load: () => import('../clients.ts'),
    verbs: {
      list_mcp_clients: 'mcp clients',
      install_mcp_client: 'mcp install',
      install_client_hooks: 'hooks install client',
      run_client_hook: null,
    },
  },
  {
    noun: 'doctor',
    about: 'health of this installation, and its log',
    toolset: 'system',
    load: () => import('../doctor.ts'),
    verbs: { run_doctor: 'doctor', read_logs: 'logs' },
  },
  {
    noun: 'setup',
    about: 'set up a repository, or remove Sylk from it',
    load: () => import('../setup.ts'),
    verbs: { init_repository: 'init', uninstall_sylk: 'uninstall', make_packaging: 'mcp package' },
  },
  {
    noun: 'library',
    about: 'backups of what people and agents wrote',
    toolset: 'setup',
    load: () => import('../library.ts'),
    verbs: {
      backup_library: 'backup',
      restore_library: 'library restore',
      export_memory: 'export',
      import_memory: 'import',
      adopt_library: 'library adopt',
    },
  },
  {
    noun: 'bus',
    about: 'messages between agents: queues, log, dead letters',
    toolset: 'guide',
    load: () => import('../bus.ts'),
    verbs: {
      send_message: 'guide send',
      guide_trace: 'guide trace',
      guide_health: 'guide health',
      list_dead_letters: 'guide dead-letters',
      replay_dead_letter: 'guide replay',
    },
  },
];
