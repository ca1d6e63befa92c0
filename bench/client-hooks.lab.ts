import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { type Drive, drives, makeRepository, programOf, storedText } from './clients/drives.ts';
import type { Bench } from './run-named.ts';
import { type Script, startScriptedModel } from './scripted-model.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');
const decided = 'Retries are capped at three because the gateway bans longer storms.';
const first: Script = {
  calls: [{ tool: 'remember', input: { content: decided, category: 'decision', title: 'retry cap' } }],
  words: 'FIRST-FINISHED',
};
const second: Script = { calls: [], words: 'SECOND-FINISHED' };

/**
 * Real clients with our hooks, two conversations each: the second calls no tool, and yet the model is told what the
 * first decided. `--from DIRECTORY` is where the clients are installed; words choose among them.
 */
const clientHooks: Bench = async ({ from, words }) => {
  for (const drive of drives) {
    if (words.length > 0 && !words.includes(drive.client)) continue;
    const program = programOf(drive, from);
    if (!program) {
      console.log(`${drive.client}: not installed in any --from`);
      continue;
    }
    await twoConversations(drive, program, drive.client, [
      ['mcp', 'install', drive.client],
      ['hooks', 'install', 'client', drive.client],
    ]);
    if (drive.client === 'claude-code')
      await twoConversations(asPlugin(drive), program, 'claude-code, by its plugin', [
        ['mcp', 'package', 'claude-plugin', '--directory', 'plugin'],
      ]);
  }
};

/** The plugin brings server, hooks and skill by itself, and names `sylk` without a path. */
const asPlugin = (drive: Drive): Drive => ({
  ...drive,
  server: 'mcp__plugin_sylk_sylk',
  args: (question) => [
    ...drive.args(question).map((word) => (word === 'mcp__sylk' ? 'mcp__plugin_sylk_sylk' : word)),
    '--plugin-dir',
    'plugin',
  ],
});

async function twoConversations(
  drive: Drive,
  program: string,
  title: string,
  setup: string[][],
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'sylk-hooks-home-'));
  const repository = join(home, 'project');
  makeRepository(repository);
  const converse = async (script: Script, question: string) => {
    const model = await startScriptedModel({ ...script, ...(drive.server ? { server: drive.server } : {}) });
    try {
      const env = {
        HOME: home,
        SYLK_HOME: join(home, '.sylk'),
        PATH: `${dirname(launcher)}:${process.env.PATH}`,
        ...drive.prepare(home, model),
      };
      const sylk = (...args: string[]) => runProcess(launcher, args, { cwd: repository, env });
      for (const args of setup) {
        const { code, stderr } = await sylk(...args);
        if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      }
      const ran = await runProcess(program, [...drive.args(question), ...(drive.hookArgs ?? [])], {
        cwd: repository,
        env,
        timeoutMs: 240_000,
      });
      return { ran, heard: model.heard(), finished: ran.stdout.toString().includes(script.words) };
    } finally {
      model.close();
    }
  };
  try {
    const one = await converse(first, 'Remember why retries are capped.');
    const before = await recordedText(repository);
    const two = await converse(second, 'What do we know?');
    const told = two.heard.includes(decided);
    const recorded = /"category":"timeline"/.test(before);
    const client = /\\?"client\\?":\\?"([^"\\]+)/.exec(before)?.[1] ?? 'none';
    console.log(
      `${title}: first ${one.finished ? 'finished' : `ended with ${one.ran.code}`}, decision ${before.includes(decided) ? 'stored' : 'NOT STORED'}, record at the end ${recorded ? 'made' : 'MISSING'}; second ${two.finished ? 'finished' : `ended with ${two.ran.code}`}, ${told ? 'was told the decision' : 'WAS NOT TOLD'}; the client calls itself ${client}`,
    );
    if (!told || !recorded)
      for (const { ran } of [one, two])
        console.log(`  stdout: ${ran.stdout.toString().slice(-1500)}\n  stderr: ${ran.stderr.slice(-1500)}`);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A hook that was left to itself may still write when the client has ended. */
async function recordedText(repository: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const text = await storedText(repository);
    if (text.includes('"category":"timeline"') || attempt === 10) return text;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

export default clientHooks;
