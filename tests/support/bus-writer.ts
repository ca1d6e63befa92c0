// A process that sends and acts on messages until it is killed. Arguments: library, failpoint, messages to send. The
// failpoint counts statements that reach SQLite; at that count the process kills itself, before or after it (odd or even).
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { createBus } from '../../src/engines/guide/index.ts';
import { openMessages } from '../../src/stores/messages/index.ts';
import { setFailpoint } from './failpoint.ts';

const [path, point, many] = process.argv.slice(2) as [string, string, string];
const failpoint = Number(point);

const say = (line: string) => process.stdout.write(`${line}\n`);
const library = openLibrary({ url: path });
library.migrate({
  store: 'effects',
  steps: ['CREATE TABLE effects (message TEXT NOT NULL, pid INTEGER NOT NULL)'],
});
const effects = library.tables<{ effects: { message: string; pid: number } }>;
const messages = openMessages({ library, clock: systemClock });
const bus = createBus({
  messages,
  sessions: { find: async (id) => ({ id, name: id, state: 'active', agents: [] }) },
  random: () => 0,
});
if (failpoint > 0) setFailpoint(failpoint);
bus.listen({
  agent: 'archivalist',
  concurrency: 3,
  respond: (message, { act }) => {
    say(`seen ${message.id} ${message.attempt}`);
    return act(async () => {
      await effects().insertInto('effects').values({ message: message.id, pid: process.pid }).execute();
      return message.id;
    });
  },
});
await bus.recover();
for (let at = 0; at < Number(many); at++) {
  const { id } = await bus.send({
    id: `${process.pid}-${at}`,
    type: 'STORE_REQUEST',
    source: 'user',
    session_id: `ses_${at % 3}`,
    payload: { content: `entry ${at}` },
    max_attempts: 20,
  });
  say(`taken ${id}`);
}
await bus.idle();
await bus.close();
await library.close();
say('done');
