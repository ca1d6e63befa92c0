// owns: durable messages, dead letters, and their owners. knows: base. must not know: sessions, agents, how a message is routed.
import type { Clock } from '../../base/clock.ts';
import { createPresence } from '../../base/durable/index.ts';
import type { Library } from '../../base/library/index.ts';
import { createMessageWrites } from './ingest.ts';
import { createMessageQueries } from './query.ts';
import { type MessageTables, messageMigrations } from './tables.ts';

export {
  type Message,
  type MessageStatus,
  messageSchema,
  type NewMessage,
  newMessageSchema,
  type Priority,
  priorities,
} from './message.ts';
export { isDurable, type MessageType, messageTypeAliases, messageTypes, typeRow } from './message-types.ts';
export { cleaned, expiryOf } from './rows.ts';

export function openMessages({ library, clock }: { library: Library; clock: Clock }) {
  library.migrate(messageMigrations);
  const presence = createPresence({ library, clock });
  const context = { library, clock, presence, db: () => library.tables<MessageTables>() };
  return {
    ...createMessageWrites(context),
    ...createMessageQueries(context),
    inWrite: library.inWrite,
    outside: library.outside,
  };
}

export type Messages = ReturnType<typeof openMessages>;
