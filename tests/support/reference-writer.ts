import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * A process that works on a shelf and is killed at its Nth write: a file written, renamed, made or removed, or a
 * statement run. For `fetch` it is killed before or after the start of a git process instead, which then is left behind.
 * Arguments as JSON: { killAt, home, work, source, approval, allowHosts }.
 */
const options = JSON.parse(process.argv[2]!) as {
  killAt: number;
  home: string;
  work: 'create' | 'fetch' | 'refresh' | 'update' | 'remove';
  source: object;
  allowHosts: string[];
  approval?: string;
};
let writes = 0;
const count = () => {
  if (++writes === options.killAt) process.kill(process.pid, 'SIGKILL');
};
// biome-ignore lint/suspicious/noExplicitAny: functions of every shape are counted
const counted = (target: any, name: string, after = false) => {
  const real = target[name];
  target[name] = function (this: unknown, ...given: unknown[]) {
    count();
    const answer = real.apply(this, given);
    if (after) count();
    return answer;
  };
};
if (options.work === 'fetch') counted(childProcess, 'spawn', true);
else {
  for (const name of ['writeFileSync', 'renameSync', 'mkdirSync', 'rmSync', 'writeSync', 'fsyncSync'])
    counted(fs, name);
  counted(DatabaseSync.prototype, 'exec');
  counted(StatementSync.prototype, 'run');
}
syncBuiltinESMExports();

const { openShelfWorld } = await import('./reference-world.ts');
const world = await openShelfWorld(options.home, options.allowHosts);
if (options.work === 'create' || options.work === 'fetch')
  await world.create(options.source, options.approval);
else if (options.work === 'refresh') await world.references.refresh('topic-library');
else if (options.work === 'update')
  await world.references.update({ topic_id: 'topic-library', tags: ['new'], max_age_days: 7 });
else await world.references.remove('topic-library');
await world.close();
console.log(`done ${writes}`);
