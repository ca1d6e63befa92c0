import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';

export type Product = Awaited<ReturnType<typeof openProduct>>;

/** The product on a clone of its own, asked as an agent asks it. */
export async function openProduct(from: string, { compilers = true } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'sylk-truth-'));
  const root = join(place, 'repository');
  execFileSync('git', ['clone', '-q', '--shared', from, root]);
  if (!compilers) {
    mkdirSync(join(place, 'home/.config/sylk'), { recursive: true });
    writeFileSync(join(place, 'home/.config/sylk/config.yaml'), 'code:\n  compiler_megabytes: 0\n');
  }
  const app = openApp({ directory: root, env: { PATH: process.env.PATH, HOME: join(place, 'home') } });
  const call = async <Output>(name: string, input: object): Promise<Output> => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'truth' } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output as Output;
  };
  await call('index_repository', {});
  return {
    root,
    call,
    close: async () => {
      await app.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
