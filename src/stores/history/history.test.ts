import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import {
  artifactSummary,
  changedTogether,
  fileSignals,
  listArtifacts,
  listTags,
  provenance,
  relatedFiles,
} from './index.ts';

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
    const { view, freshness } = await history.ready();
    expect(freshness.state).toBe('fresh');
    expect(listArtifacts(view, {}).map((path) => view.name(path))).toEqual([
      'README.md',
      'src/auth/session/limit.test.ts',
      'src/auth/session/limit.ts',
    ]);
    expect(listArtifacts(view, { tags: ['auth', 'session'] })).toHaveLength(2);
    const limit = view.requirePath('src/auth/session/limit.ts');
    expect(artifactSummary(view, limit).tags).toEqual(['auth', 'rate-limiting', 'session']);
    const { entries, total } = provenance(view, limit, all);
    expect(total).toBe(2);
    expect(entries.map((entry) => [entry.message.split('\n')[0], entry.tags_at_commit])).toEqual([
      ['feat(auth): add rate limiting', ['auth', 'rate-limiting', 'redis', 'session']],
      ['fix(auth): off by one in the window', ['auth', 'rate-limiting', 'session']],
    ]);
    expect(relatedFiles(history, view, limit).map((row) => [row.name, row.count])).toEqual([
      ['src/auth/session/limit.test.ts', 2],
      ['README.md', 1],
    ]);
    const [best] = fileSignals(view, 'rate-limiting').sort((a, b) => b.signals.text - a.signals.text);
    expect(view.name(best!.path)).toMatch(/limit/);
    expect(listTags(view)).toContainEqual({ tag: 'rate-limiting', count: 3 });
  });
});

describe('what changes together', () => {
  test('a file brings along those that its commits changed, by their share', async () => {
    const repository = testRepository();
    for (let round = 0; round < 4; round++)
      repository.commit(`session: expire after an hour ${round}`, {
        'lib/session.ts': `${round}`,
        'lib/clock.ts': `${round}`,
      });
    repository.commit('words of other files', { 'lib/session-a.ts': '1', 'lib/other.ts': '1' });
    const { view } = await historyOf(repository.path).ready();
    const path = (name: string) => view.requirePath(name);
    expect([...changedTogether(view, path('lib/session.ts'))]).toEqual([[path('lib/clock.ts'), 4 / 6]]);
  });
});
