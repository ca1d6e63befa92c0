/**
 * Every kind of message the Guide knows. A row says to whom it goes when nobody is named, how it is answered, and
 * whether it may be lost: what stores something, decides something, changes a session or carries a task is durable.
 */
export type MessageFamily =
  | 'user'
  | 'session'
  | 'research'
  | 'context'
  | 'history'
  | 'store'
  | 'plan'
  | 'approval'
  | 'dag'
  | 'task'
  | 'clarification'
  | 'validation'
  | 'test'
  | 'workflow'
  | 'pipeline';

export interface MessageTypeRow {
  family: MessageFamily;
  /** Who gets it when no target is given. `sender` is whoever asked; `guide` means that it is classified first. */
  to: string;
  /** The type that answers it. */
  reply?: string;
  /** Who gets a copy besides. */
  copy?: string;
  /** Only between the agents of one pipeline, past the Guide's routing. */
  internal?: true;
  /** States of its session in which it is taken; the rest of the types need an active one. */
  states?: readonly string[];
  /** It may be sent before there is a session. */
  sessionless?: true;
}

const table = {
  USER_INPUT: { family: 'user', to: 'guide' },
  USER_RESPONSE: { family: 'user', to: 'sender' },

  SESSION_CREATE: { family: 'session', to: 'sessions', sessionless: true },
  SESSION_SWITCH: { family: 'session', to: 'sessions', states: ['created', 'active', 'suspended'] },
  SESSION_SUSPEND: { family: 'session', to: 'sessions' },
  SESSION_RESUME: { family: 'session', to: 'sessions', states: ['created', 'suspended'] },
  SESSION_COMPLETE: { family: 'session', to: 'sessions', states: ['active', 'suspended'] },

  RESEARCH_REQUEST: { family: 'research', to: 'academic', reply: 'RESEARCH_RESPONSE' },
  RESEARCH_RESPONSE: { family: 'research', to: 'sender' },
  CONTEXT_REQUEST: { family: 'context', to: 'librarian', reply: 'CONTEXT_RESPONSE' },
  CONTEXT_RESPONSE: { family: 'context', to: 'sender' },
  HISTORY_REQUEST: { family: 'history', to: 'archivalist', reply: 'HISTORY_RESPONSE' },
  HISTORY_RESPONSE: { family: 'history', to: 'sender' },
  STORE_REQUEST: { family: 'store', to: 'archivalist' },

  PLAN_REQUEST: { family: 'plan', to: 'architect', reply: 'PLAN_RESPONSE' },
  PLAN_RESPONSE: { family: 'plan', to: 'user' },
  PLAN_APPROVED: { family: 'approval', to: 'architect' },
  PLAN_MODIFIED: { family: 'approval', to: 'architect' },

  DAG_EXECUTE: { family: 'dag', to: 'orchestrator' },
  DAG_STATUS: { family: 'dag', to: 'architect' },

  TASK_DISPATCH: { family: 'task', to: 'engineer' },
  TASK_COMPLETE: { family: 'task', to: 'orchestrator' },
  TASK_FAILED: { family: 'task', to: 'orchestrator' },
  TASK_HELP: { family: 'task', to: 'orchestrator' },

  CLARIFICATION_REQUEST: { family: 'clarification', to: 'user', reply: 'CLARIFICATION_RESPONSE' },
  CLARIFICATION_RESPONSE: { family: 'clarification', to: 'architect' },

  VALIDATE_TASK: { family: 'validation', to: 'inspector', reply: 'VALIDATION_RESULT' },
  VALIDATION_RESULT: { family: 'validation', to: 'orchestrator' },
  VALIDATION_CORRECTIONS: { family: 'validation', to: 'architect' },
  INSPECTION_REQUEST: { family: 'validation', to: 'inspector', reply: 'INSPECTION_RESULTS' },
  INSPECTION_RESULTS: { family: 'validation', to: 'architect', copy: 'user' },

  TEST_PLAN_REQUEST: { family: 'test', to: 'tester', reply: 'TEST_PLAN_RESPONSE' },
  TEST_PLAN_RESPONSE: { family: 'test', to: 'user' },
  TEST_DAG_REQUEST: { family: 'test', to: 'architect' },
  TESTS_READY: { family: 'test', to: 'tester', reply: 'TEST_RESULTS' },
  TEST_RESULTS: { family: 'test', to: 'architect', copy: 'user' },
  TEST_CORRECTIONS: { family: 'test', to: 'architect' },

  USER_OVERRIDE: { family: 'approval', to: 'inspector' },
  USER_INTERRUPT: { family: 'user', to: 'architect' },
  WORKFLOW_COMPLETE: { family: 'workflow', to: 'user' },

  INSPECTOR_FEEDBACK: { family: 'pipeline', to: 'engineer', internal: true },
  TESTER_FEEDBACK: { family: 'pipeline', to: 'engineer', internal: true },
  PIPELINE_COMPLETE: { family: 'task', to: 'orchestrator', internal: true },
  PIPELINE_FAILED: { family: 'task', to: 'orchestrator', internal: true },
  USER_TASK_PROMPT: { family: 'task', to: 'pipeline' },
  USER_TASK_QUERY: { family: 'task', to: 'pipeline' },
  USER_TASK_INTERRUPT: { family: 'task', to: 'pipeline' },
  USER_IGNORE_INSPECTOR: { family: 'approval', to: 'pipeline' },
  USER_IGNORE_TESTER: { family: 'approval', to: 'pipeline' },

  HANDOFF_REQUEST: { family: 'task', to: 'architect' },
  CREATE_PIPELINE_WITH_STATE: { family: 'task', to: 'orchestrator' },
  STARTED: { family: 'task', to: 'orchestrator' },
  CLOSE_NOW: { family: 'task', to: 'pipeline' },
  HANDOFF_COMPLETE: { family: 'task', to: 'architect' },
} as const satisfies Record<string, MessageTypeRow>;

export type MessageType = keyof typeof table;

export const messageTypes = Object.keys(table) as [MessageType, ...MessageType[]];

/** Second names of the same message; they parse and are written as the first. */
export const messageTypeAliases: Record<string, MessageType> = {
  STORE_SUMMARY: 'STORE_REQUEST',
  VALIDATION_FULL: 'INSPECTION_RESULTS',
  HANDOFF_REQ: 'HANDOFF_REQUEST',
  CREATE_NEW: 'CREATE_PIPELINE_WITH_STATE',
};

const durableFamilies: ReadonlySet<MessageFamily> = new Set(['store', 'approval', 'session', 'task']);

export const typeRow = (type: MessageType): MessageTypeRow => table[type];

/** Acknowledged after commit and delivered again after a crash; the rest is delivered at most once. */
export const isDurable = (type: MessageType): boolean => durableFamilies.has(table[type].family);
