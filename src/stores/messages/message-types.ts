import table from './message-types.json' with { type: 'json' };

/** A kind of message that the Guide knows. */
export interface MessageTypeRow {
  /** Who gets it when no target is given. `sender` is whoever asked; `guide` means that it is classified first. */
  to: string;
  /** The type that answers it. */
  reply?: string;
  /** Who gets a copy besides. */
  copy?: string;
  /** Only between the agents of one pipeline, past the Guide's routing. */
  internal?: boolean;
  /** States of its session in which it is taken; the rest of the types need an active one. */
  states?: readonly string[];
  /** It may be sent before there is a session. */
  sessionless?: boolean;
  /** It stores something, decides something, changes a session or carries a task: it may not be lost. */
  durable?: boolean;
}

export type MessageType = keyof typeof table;

export const messageTypes = Object.keys(table) as [MessageType, ...MessageType[]];

/** Second names of the same message; they parse and are written as the first. */
export const messageTypeAliases: Record<string, MessageType> = {
  STORE_SUMMARY: 'STORE_REQUEST',
  VALIDATION_FULL: 'INSPECTION_RESULTS',
  HANDOFF_REQ: 'HANDOFF_REQUEST',
  CREATE_NEW: 'CREATE_PIPELINE_WITH_STATE',
};

export const typeRow = (type: MessageType): MessageTypeRow => table[type];

/** Acknowledged after commit and delivered again after a crash; the rest is delivered at most once. */
export const isDurable = (type: MessageType): boolean => typeRow(type).durable === true;
