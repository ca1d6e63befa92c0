import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fixtureRepository } from '../../tests/support/fixture-repository.ts';
import { type Command, readCommands } from './commands.ts';
import { startListener } from './listener.ts';
import { type Address, makePlace } from './place.ts';
import type { LabContext } from './run-case.ts';
import { differences, takeSnapshot } from './snapshot.ts';

export interface Lab extends LabContext {
  commands: Command[];
  close(): void;
}

/** Prepares the harmless repository and finds out where the product keeps state in it. */
export async function openLab(work: string, directory: string): Promise<Lab> {
  const product = { directory, launcher: join(directory, 'bin/sylk') };
  const base = join(work, 'base');
  mkdirSync(base, { recursive: true });
  fixtureRepository(base);
  // The templates of git bring sample hooks that nobody needs a hundred times.
  spawnSync('sh', ['-c', 'rm -f .git/hooks/*.sample'], { cwd: base });
  const listener = await startListener();
  const { server, stop } = await startServer(listener.url);
  const { commands, offered } = readCommands(product);
  const place = makePlace(join(work, 'probe'), base, product, { listener, server });
  const before = takeSnapshot(place.repository, () => false);
  place.asPerson('memory', 'add', 'A note.', '--category', 'decision');
  const made = differences(
    before,
    takeSnapshot(place.repository, () => false),
  );
  const database = made.find((change) => /sylk\/[^/]+\.db$/.test(change));
  const state = database ? dirname(database.slice(1)) : '.git/sylk';
  rmSync(place.root, { recursive: true, force: true });
  const close = () => {
    listener.close();
    stop();
  };
  return { product, base, work, listener, server, state, commands, offered, close };
}

async function startServer(elsewhere: string): Promise<{ server: Address; stop(): void }> {
  const program = join(import.meta.dirname, 'misbehaving-server.ts');
  const child = spawn(process.execPath, [program, elsewhere], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const host = `127.0.0.1:${String(port).trim()}`;
  return { server: { host, url: `http://${host}` }, stop: () => child.stdin.end() };
}
