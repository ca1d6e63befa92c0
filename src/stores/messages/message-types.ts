import table from './message-types.json' with { type: 'json' };

/** A message type of the Guide. */
export interface MessageTypeRow {
  /** The receiver when no target is given. `sender` is the requester; `guide` means that it is classified first. */
  to: string;
  /** The type of its reply. */
  reply?: string;
  /** Additional receivers of a copy. */
  copy?: string;
  /** Only between the agents of one pipeline, without routing by the Guide. */
  internal?: boolean;
  /** Session states in which it is accepted; the other types need an active session. */
  states?: readonly string[];
  /** It may be sent before a session exists. */
  sessionless?: boolean;
  /** It stores or decides something, changes a session or carries a task: it must not be lost. */
  durable?: boolean;
}

export type MessageType = keyof typeof table;

export const messageTypes = Object.keys(table) as [MessageType, ...MessageType[]];

/** Other names of the same message; they are parsed and written as the first. */
export const messageTypeAliases: Record<string, MessageType> = {
  STORE_SUMMARY: 'STORE_REQUEST',
  VALIDATION_FULL: 'INSPECTION_RESULTS',
  HANDOFF_REQ: 'HANDOFF_REQUEST',
  CREATE_NEW: 'CREATE_PIPELINE_WITH_STATE',
};

export const typeRow = (type: MessageType): MessageTypeRow => table[type];

/** Acknowledged after commit and redelivered after a crash; the rest is delivered at most once. */
export const isDurable = (type: MessageType): boolean => typeRow(type).durable === true;
