// A process that works on a library of tasks and areas. Arguments: mode, database, then what the mode needs.
// claim: takes tasks until none is left. hold: takes one for so many seconds and waits to be killed.
// bump: raises the version of one atom N times, rereading when it lost. crash: writes until its failpoint kills it.
import { systemClock } from '../../src/base/clock.ts';
import { SylkError } from '../../src/base/errors.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openAreas } from '../../src/stores/areas/index.ts';
import { openWork } from '../../src/stores/work/index.ts';
import { setFailpoint } from './failpoint.ts';

const [mode, path, ...rest] = process.argv.slice(2) as [string, string, ...string[]];

const failpoint = mode === 'crash' ? Number(rest[0]) : 0;

const library = openLibrary({ url: path });
const work = openWork({
  library,
  clock: systemClock,
  pipelines: { feature: ['NEW', 'ACTIVE', 'CLOSED'], task: ['NEW', 'ACTIVE', 'CLOSED'] },
});
const areas = openAreas({
  library,
  clock: systemClock,
  around: {
    projectExists: async (id) => (await work.findContainer(id, 'project')) !== undefined,
    taskExists: async (id) => (await work.findContainer(id, 'task')) !== undefined,
  },
});
const by = { actor: `process ${process.pid}` };
const say = (line: string) => process.stdout.write(`${line}\n`);

if (mode === 'claim') {
  for (;;) {
    const claimed = await work.claimTask(by, { claimant: by.actor, leaseSeconds: 600 });
    if (!claimed) break;
    say(claimed.task.id);
  }
} else if (mode === 'hold') {
  const claimed = await work.claimTask(by, { claimant: by.actor, leaseSeconds: Number(rest[0]) });
  say(claimed!.task.id);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
} else if (mode === 'bump') {
  const [id, times] = rest as [string, string];
  let won = 0;
  for (let at = 0; at < Number(times); at++) {
    const { version } = await areas.getAtom(id, { changelogLimit: 0 });
    try {
      await areas.updateAtom(by, { id, version, knowledge: `${by.actor} ${at}`, knowledgeMode: 'overwrite' });
      won++;
    } catch (error) {
      if (!(error instanceof SylkError) || error.code !== 'CONFLICT') throw error;
      if (Number(error.data?.currentVersion) <= version) throw error;
    }
  }
  say(String(won));
} else if (mode === 'crash') {
  const project = (await work.searchContainers({ kind: 'project', limit: 1, offset: 0 })).items[0]!;
  setFailpoint(failpoint);
  for (let at = 0; at < 40; at++) {
    const task = await work.createContainer(by, {
      kind: 'task',
      name: `task ${process.pid} ${at}`,
      summary: 's',
      priority: 'LOW',
      complexity: 1,
      projectId: project.id,
      tags: ['a', 'b'],
    });
    say(`task ${task.id} 1`);
    await work.applyTemplate(by, { templateId: 'Standard Task', entityType: 'TASK', entityId: task.id });
    say(`sections ${task.id} 5`);
    await work.advance(by, { kind: 'task', id: task.id, version: 1 });
    say(`task ${task.id} 2`);
    const atom = await areas.createAtom(by, {
      projectId: project.id,
      name: 'a',
      paths: ['**'],
      createdByTaskId: task.id,
    });
    say(`atom ${atom.id} 1`);
    await areas.appendChangelog(by, {
      parentType: 'atom',
      parentId: atom.id,
      taskId: task.id,
      summary: 'entry',
    });
    say(`entries ${atom.id} 1`);
  }
  say('done');
}
await library.close();
