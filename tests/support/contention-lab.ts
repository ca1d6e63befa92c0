import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { embeddedOf } from '../../src/base/library/index.ts';

export interface ContentionResult {
  processes: number;
  writes: number;
  failures: string[];
  counted: number;
  seen: number;
  integrity: string;
}

const worker = join(import.meta.dirname, 'contention-worker.ts');

/** Several processes that open one repository cold at the same moment and write to both databases. */
export async function runContention(
  repository: string,
  processes: number,
  writes: number,
): Promise<ContentionResult> {
  const children = Array.from({ length: processes }, (_, at) => start(repository, `w${at}`, writes));
  await Promise.all(children.map((child) => child.ready));
  for (const { child } of children) child.stdin!.end('go\n');
  const failures = (await Promise.all(children.map((child) => child.ended))).filter(
    (said) => said !== undefined,
  );
  const app = openApp({ directory: repository });
  try {
    const library = embeddedOf(await app.library());
    return {
      processes,
      writes,
      failures,
      counted: library.get<{ value: number }>("SELECT value FROM counters WHERE name = 'all'")?.value ?? 0,
      seen: app.index().get<{ n: number }>('SELECT count(*) AS n FROM seen')!.n,
      integrity: [library, app.index()]
        .map((sqlite) => Object.values(sqlite.get('PRAGMA integrity_check')!)[0])
        .join(),
    };
  } finally {
    await app.close();
  }
}

function start(repository: string, name: string, writes: number) {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', worker, repository, name, String(writes)],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
    },
  );
  let said = '';
  let heard = '';
  child.stderr!.on('data', (chunk) => {
    said += chunk;
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes('ready')) resolve();
    });
    child.on('close', () => resolve());
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.on('close', (code) =>
      resolve(code === 0 && said === '' ? undefined : `${name}: ${code} ${said.slice(0, 600)}`),
    );
  });
  return { child, ready, ended };
}
