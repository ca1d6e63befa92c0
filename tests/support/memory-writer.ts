// A process that remembers until it is killed. Arguments: directory of a repository, failpoint. The failpoint counts
// statements that reach SQLite; at that count the process kills itself, before or after the statement (odd or even).
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { setFailpoint } from './failpoint.ts';

const [directory, point] = process.argv.slice(2) as [string, string];
const failpoint = Number(point);

const app = openApp({ directory });
const call = async (name: string, input: object): Promise<Record<string, unknown>> => {
  const outcome = await runOperation(app, { name, input, caller: { kind: 'agent', name: 'writer' } });
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
  return outcome.output as Record<string, unknown>;
};
const say = (line: string) => process.stdout.write(`${line}\n`);

await call('get_session', {});
setFailpoint(failpoint);
for (let at = 0; at < 6; at++) {
  const mark = `${process.pid}-${at}`;
  const stored = await call('store_entry', {
    content: `decision ${mark} and its reason`,
    category: 'decision',
    title: `subject ${mark}`,
  });
  say(`entry ${stored['node_id']}`);
  await call('scratchpad_write', { key: mark, note: `note ${mark}` });
  say(`note ${mark}`);
  await call('record_file', { path: `src/${mark}.ts`, operation: 'modified' });
  say(`file src/${mark}.ts`);
  const saved = await call('save_checkpoint', { summary: mark, completed: [], next_steps: [mark] });
  say(`checkpoint ${saved['id']}`);
  await call('set_preference', { category: mark, preference: 'short names', this_session_only: true });
  say(`wish ${mark}`);
  const kept = await call('snapshot_session', {});
  say(`snapshot ${kept['snapshot_id']}`);
}
await app.close();
say('done');
