import { spawnSync } from 'node:child_process';
import { ignoreRules } from '../src/base/glob/index.ts';
import { showPath } from '../src/stores/history/path-name.ts';
import { historyAt } from './history/at-commit.ts';
import type { BenchOptions } from './run-named.ts';

/** Files indexed = files in HEAD's tree minus files that are skipped for a reason, on every repository given. */
export default async function run({ from }: BenchOptions): Promise<void> {
  for (const directory of from) {
    const { history, remove } = historyAt(directory);
    const started = performance.now();
    const { commits } = await history.update();
    const seconds = (performance.now() - started) / 1000;
    const { view } = await history.ready();
    const alive = new Set(view.alive().map((path) => view.name(path)));
    const listed = spawnSync('git', [`--git-dir=${directory}`, 'ls-tree', '-r', '-z', 'HEAD'], {
      maxBuffer: 1 << 30,
    });
    const excludes = ignoreRules(history.settings.exclude);
    const skipped = { excluded: 0, submodule: 0 };
    let wrong = 0;
    let files = 0;
    for (const line of splitAtNul(listed.stdout)) {
      files++;
      const path = showPath(line.subarray(line.indexOf(9) + 1));
      if (line.toString('latin1', 0, 6) === '160000') skipped.submodule++;
      else if (excludes(path)) skipped.excluded++;
      else if (!alive.delete(path)) wrong++;
    }
    const problems = view.sqlite.all(
      'SELECT kind, count(*) AS entries, sum(count) AS commits FROM problems GROUP BY kind',
    );
    console.log(
      `${directory}: ${commits} commits in ${seconds.toFixed(1)} s; ${files} files, skipped ${JSON.stringify(skipped)}, ` +
        `missing ${wrong}, too many ${alive.size}, problems ${JSON.stringify(problems)}`,
    );
    remove();
  }
}

function* splitAtNul(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    yield bytes.subarray(at, end);
    at = end + 1;
  }
}
