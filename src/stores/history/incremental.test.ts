import { describe, expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { dumpHistory } from '../../../tests/support/history-dump.ts';
import { seededRandom, writeRandomHistory } from '../../../tests/support/random-history.ts';
import { testRepository } from '../../../tests/support/repository.ts';

const histories = 40;
const firstSeed = 20_261_115;

describe('incremental = rebuild (seed §3.3: idempotency)', () => {
  test.each(Array.from({ length: histories }, (_, at) => firstSeed + at))(
    'a random history with merges, renames, deletes, tag operations and rewrites: seed %i',
    async (seed) => {
      const random = seededRandom(seed);
      const repository = testRepository();
      const shas = writeRandomHistory(repository.path, random, 24);
      const stepwise = historyOf(repository.path);
      let at = 4;
      while (at < shas.length) {
        repository.git('update-ref', 'refs/heads/main', shas[at]!);
        await stepwise.update();
        if (random() < 0.25) {
          repository.git('update-ref', 'refs/heads/main', shas[Math.floor(random() * at)]!);
          await stepwise.update();
        }
        at += random() < 0.3 ? 1 : 3 + Math.floor(random() * 12);
      }
      const rebuilt = historyOf(repository.path, {}, 'rebuilt.db');
      await rebuilt.update();
      const left = dumpHistory(stepwise, (await stepwise.ready()).view);
      const right = dumpHistory(rebuilt, (await rebuilt.ready()).view);
      expect(left).toEqual(right);
      const tree = repository.git('ls-tree', '-r', '--name-only', 'main').split('\n').filter(Boolean);
      const alive = right.artifacts.filter((each) => each.alive).map((each) => each.path);
      expect(alive).toEqual(tree.filter((path) => !path.endsWith('.lock')).sort());
    },
  );
});
