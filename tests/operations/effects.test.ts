import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { allOperations } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

/** What people and agents wrote, and the files of the repository. Caches and logs may come and go. */
function stateOf(root: string, libraries: string[]): string {
  const hash = createHash('sha256');
  const walk = (directory: string) => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (['.git', '.sylk'].includes(name)) continue;
      if (statSync(path).isDirectory()) walk(path);
      else hash.update(path).update(readFileSync(path));
    }
  };
  walk(root);
  for (const path of libraries) {
    if (!statSync(path, { throwIfNoEntry: false })) continue;
    const db = new DatabaseSync(path, { readOnly: true });
    const tables = db
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'",
      )
      .all() as Array<{ name: string }>;
    for (const { name } of tables.filter(
      (table) => !/^sqlite_|^_|_cache$|_reads$|_seen$|_(?:config|data|idx|docsize|content)$/.test(table.name),
    )) {
      const rows = db.prepare(`SELECT * FROM "${name}"`).all();
      if (rows.length > 0)
        hash
          .update(name)
          .update(JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value)));
    }
    db.close();
  }
  return hash.digest('hex');
}

test('an operation that says it only reads leaves files and libraries as they were', async () => {
  const repository = fixtureRepository();
  const app = openApp({ directory: repository.path });
  onTestFinished(() => app.close());
  const libraries = [app.repository.state.library, join(app.user.data, 'sylk.db')];
  const caller = { kind: 'person' as const, name: 'test' };
  const operations = await allOperations();
  for (const operation of operations.filter((candidate) => candidate.name === 'index_repository')) {
    await runOperation(app, { name: operation.name, input: {}, caller });
  }
  const before = stateOf(repository.path, libraries);
  for (const operation of operations.filter((candidate) => candidate.effect === 'read')) {
    for (const input of operation.examples) await runOperation(app, { name: operation.name, input, caller });
    expect(stateOf(repository.path, libraries), operation.name).toBe(before);
  }
});
