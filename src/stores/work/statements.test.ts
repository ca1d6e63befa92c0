import { expect, test } from 'vitest';
import { openStores, person } from '../../../tests/support/work-stores.ts';
import { embeddedOf } from '../../base/library/index.ts';

test('creating a task takes four statements and claiming one four, however many tasks there are', async () => {
  const { library, work, project, task } = openStores();
  const { id: projectId } = await project();
  for (const name of ['first', 'second']) await task(name, { projectId, tags: ['a'] });
  const texts: string[] = [];
  const sqlite = embeddedOf(library);
  const prepare = sqlite.prepare;
  sqlite.prepare = (text) => {
    texts.push(text);
    return prepare(text);
  };
  const counted = async (call: () => Promise<unknown>) => {
    texts.length = 0;
    await call();
    return texts.length;
  };
  const create = () => task('another', { projectId, tags: ['a'] });
  const claim = () => work.claimTask(person, { projectId, claimant: 'ada', leaseSeconds: 60 });
  expect(await counted(create)).toBe(4);
  expect(await counted(claim)).toBe(4);
  for (let at = 0; at < 50; at++) await create();
  expect(await counted(create)).toBe(4);
  expect(await counted(claim)).toBe(4);
});
