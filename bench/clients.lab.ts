import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { drives, makeRepository, programOf, storedText } from './clients/drives.ts';
import type { Bench } from './run-named.ts';
import { startScriptedModel } from './scripted-model.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');
const question = 'Brief yourself, then remember why retries are capped.';
const remembered = 'Retries are capped at three because the gateway bans longer storms.';
const script = {
  calls: [
    { tool: 'get_briefing', input: { tier: 'micro' } },
    { tool: 'store_entry', input: { content: remembered, category: 'decision', title: 'retry cap' } },
    { tool: 'get_provenance', input: { path: 'src/retry.ts' } },
  ],
  words: 'SCRIPT-FINISHED',
};

/** Real clients, installed elsewhere (`--from DIRECTORY`), drive the server over stdio against a scripted model. */
const clients: Bench = async ({ from, words }) => {
  for (const drive of drives) {
    if (words.length > 0 && !words.includes(drive.client)) continue;
    const program = programOf(drive, from);
    if (!program) {
      console.log(`${drive.client}: not installed in any --from`);
      continue;
    }
    const home = mkdtempSync(join(tmpdir(), 'sylk-client-home-'));
    const repository = join(home, 'project');
    makeRepository(repository);
    const model = await startScriptedModel(script);
    try {
      const env = { HOME: home, SYLK_HOME: join(home, '.sylk'), ...drive.prepare(home, model) };
      const installed = await runProcess(launcher, ['mcp', 'install', drive.client], {
        cwd: repository,
        env,
      });
      if (installed.code !== 0) throw new Error(`install: ${installed.stderr}`);
      const ran = await runProcess(program, drive.args(question), {
        cwd: repository,
        env,
        timeoutMs: 240_000,
      });
      const stored = await runProcess(launcher, ['call', 'get_briefing', '{"tier":"full"}', '--json'], {
        cwd: repository,
        env,
      });
      const kept =
        (await storedText(repository)).includes(remembered) || stored.stdout.toString().includes('retry cap');
      const finished = ran.stdout.toString().includes(script.words);
      console.log(
        `${drive.client}: ${finished ? 'played the script to its end' : `ended with ${ran.code}${ran.timedOut ? ' (time limit)' : ''}`}; ${model.results().length} tool results; write ${kept ? 'is on disk' : 'IS MISSING'}`,
      );
      if (!finished || !kept) {
        console.log(
          `  offered: ${model
            .offered()
            .filter((name) => /sylk|ToolSearch/.test(name))
            .join(', ')
            .slice(0, 800)}`,
        );
        console.log(
          `  results: ${model
            .results()
            .map((result) => result.slice(0, 300))
            .join('\n           ')}`,
        );
        console.log(`  stdout: ${ran.stdout.toString().slice(-1500)}\n  stderr: ${ran.stderr.slice(-1500)}`);
      }
      const removed = await runProcess(launcher, ['mcp', 'uninstall', drive.client], {
        cwd: repository,
        env,
      });
      console.log(`  ${removed.stdout.toString().trim()}`);
    } finally {
      model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
};

export default clients;
