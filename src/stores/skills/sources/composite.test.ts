import { expect, test } from 'vitest';
import { SylkError } from '../../../base/errors.ts';
import type { Log } from '../../../base/log.ts';
import type { SkillSource } from '../skill.ts';
import { compositeSource } from './composite.ts';
import { memorySource } from './memory.ts';

const skill = (id: string, body: string) => ({ descriptor: { id, description: `${body} ${id}` }, body });

function listeningLog() {
  const lines: Array<{ level: string; message: string; fields?: Record<string, unknown> }> = [];
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void lines.push({ level, message, ...(fields ? { fields } : {}) });
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: () => log,
  };
  return { log, lines };
}

test('the first source wins, its name is on the skill, and the shadowed one stays visible', async () => {
  const { log, lines } = listeningLog();
  const source = compositeSource(
    [
      { name: 'project', source: memorySource([skill('a/x', 'ours')]) },
      { name: 'company', source: memorySource([skill('a/x', 'theirs'), skill('a/y', 'theirs')]) },
    ],
    log,
  );
  expect((await source.list()).map((one) => [one.id, one.source_name])).toEqual([
    ['a/x', 'project'],
    ['a/y', 'company'],
  ]);
  expect(await source.load('a/x')).toMatchObject({ body: 'ours', descriptor: { source_name: 'project' } });
  expect((await source.listAll()).filter((one) => one.shadowed_by)).toMatchObject([
    { id: 'a/x', source_name: 'company', shadowed_by: 'project' },
  ]);
  await source.list();
  expect(lines).toEqual([
    {
      level: 'info',
      message: 'Skill shadowed by higher-precedence repository',
      fields: { skill_id: 'a/x', shadowed_source: 'company', winning_source: 'project' },
    },
  ]);
});

test('a skill that two sources have is counted once in its collection', async () => {
  const source = compositeSource([memorySource([skill('a/x', '1')]), memorySource([skill('a/x', '2')])]);
  expect(await source.collections!()).toEqual([{ path: 'a', description: '1 skills', count: 1 }]);
});

test('a source that fails is reported, the others answer', async () => {
  const broken: SkillSource = {
    list: async () => {
      throw new SylkError('UNAVAILABLE', 'git clone failed: no network', { hint: 'Try later.' });
    },
    load: async () => {
      throw new SylkError('UNAVAILABLE', 'git clone failed: no network');
    },
  };
  const { log, lines } = listeningLog();
  const source = compositeSource(
    [
      { name: 'company', source: broken },
      { name: 'mine', source: memorySource([skill('x', 'mine')]) },
    ],
    log,
  );
  expect((await source.list()).map((one) => one.id)).toEqual(['x']);
  expect((await source.load('x')).body).toBe('mine');
  await expect(source.load('y')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining(
      "Skill 'y' not found; source company could not be read: git clone failed",
    ),
  });
  expect(await source.problems!()).toMatchObject([
    { source_name: 'company', code: 'unavailable', fix: 'Try later.' },
  ]);
  expect(lines.filter((line) => line.level === 'warn')).toHaveLength(1);
});

test('an unknown skill is not found by its id', async () => {
  await expect(compositeSource([memorySource([])]).load('foo/bar')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: "Skill 'foo/bar' not found",
  });
});
