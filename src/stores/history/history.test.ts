import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { artifactSummary, listArtifacts, listTags, provenance, relatedFiles, searchFiles } from './index.ts';

const all = { skip: 0, take: 1000 };

function authRepository() {
  const repository = testRepository();
  repository.commit('feat(auth): add rate limiting\n\nSliding window.\n\ntags: auth, rate-limiting, redis', {
    'src/auth/session/limit.ts': '1',
    'src/auth/session/limit.test.ts': '1',
    'README.md': 'hello',
  });
  repository.commit('fix(auth): off by one in the window\n\ntags: +session, -redis', {
    'src/auth/session/limit.ts': '2',
    'src/auth/session/limit.test.ts': '2',
  });
  repository.commit('docs: say more', { 'README.md': 'hello there' });
  return repository;
}

describe('the index answers about the history', () => {
  test('list, tags, provenance, co-change and search agree with what was committed', async () => {
    const history = historyOf(authRepository().path);
    const { model, freshness } = await history.ready();
    expect(freshness.state).toBe('fresh');
    expect(listArtifacts(model, {}).map((path) => model.name(path))).toEqual([
      'README.md',
      'src/auth/session/limit.test.ts',
      'src/auth/session/limit.ts',
    ]);
    expect(listArtifacts(model, { tags: ['auth', 'session'] })).toHaveLength(2);
    const limit = model.need('src/auth/session/limit.ts');
    expect(artifactSummary(model, limit).tags).toEqual(['auth', 'rate-limiting', 'session']);
    const { entries, total } = provenance(model, limit, all);
    expect(total).toBe(2);
    expect(entries.map((entry) => [entry.message.split('\n')[0], entry.tags_at_commit])).toEqual([
      ['feat(auth): add rate limiting', ['auth', 'rate-limiting', 'redis', 'session']],
      ['fix(auth): off by one in the window', ['auth', 'rate-limiting', 'session']],
    ]);
    expect(relatedFiles(history, model, limit).map((row) => [row.name, row.count])).toEqual([
      ['src/auth/session/limit.test.ts', 2],
      ['README.md', 1],
    ]);
    expect(model.name(searchFiles(model, 'rate-limiting')[0]!.path)).toMatch(/limit/);
    expect(listTags(model)).toContainEqual({ tag: 'rate-limiting', count: 3 });
  });
});
