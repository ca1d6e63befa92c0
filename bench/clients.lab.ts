import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { type Drive, drives, makeRepository, programOf } from './clients/drives.ts';
import type { Bench } from './run-named.ts';
import { type Script, startScriptedModel } from './scripted-model.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');

/** What each client decides, and the person at the command line. */
const decisions: Record<string, { title: string; content: string }> = {
  'claude-code': {
    title: 'retry cap',
    content: 'Retries are capped at three because the gateway bans longer storms.',
  },
  opencode: {
    title: 'short timeout',
    content: 'Timeouts are two seconds because callers give up after three.',
  },
  codex: {
    title: 'doubling backoff',
    content: 'Backoff doubles from 100 ms because the queue drains slowly.',
  },
  gemini: { title: 'added jitter', content: 'Jitter is added because clients woke up together.' },
  person: { title: 'logged counts', content: 'Attempt counts are logged because billing asks for them.' },
};
const words = 'SCRIPT-FINISHED';

interface World {
  home: string;
  repository: string;
  from: string[];
}

/**
 * Real clients, installed elsewhere (`--from DIRECTORY`), drive the server over stdio against a scripted model, all on one
 * repository: each decides something, then each starts a new conversation and is asked what was decided.
 */
const clients: Bench = async ({ from, words: only }) => {
  const home = mkdtempSync(join(tmpdir(), 'sylk-client-home-'));
  const world = { home, repository: join(home, 'project'), from };
  const driven = drives.filter(
    (drive) => programOf(drive, from) && (only.length === 0 || only.includes(drive.client)),
  );
  for (const drive of drives)
    if (!driven.includes(drive)) console.log(`${drive.client}: not installed in any --from, or left out`);
  makeRepository(world.repository);
  try {
    for (const drive of driven) {
      const decision = decisions[drive.client];
      const store = { tool: 'remember', input: { ...decision, category: 'decision' } };
      await talk(world, drive, [{ tool: 'get_briefing', input: { tier: 'micro' } }, store]);
    }
    const { title = '', content = '' } = decisions['person'] ?? {};
    await person(world, ['memory', 'add', content, '--category', 'decision', '--title', title]);
    const titles = [...driven.map(({ client }) => client), 'person'].map(
      (who) => decisions[who]?.title ?? '',
    );
    let complete = 0;
    for (const drive of driven) {
      const seen = await talk(world, drive, [{ tool: 'get_briefing', input: { tier: 'full' } }]);
      const missing = titles.filter((each) => !seen.includes(each));
      complete += missing.length === 0 ? 1 : 0;
      console.log(`${drive.client} sees ${titles.length - missing.length} of ${titles.length} decisions`);
      if (missing.length > 0) console.log(`  missing: ${missing.join(', ')}\n  got: ${seen.slice(0, 1500)}`);
    }
    const brief = await person(world, ['brief']);
    const shown = titles.filter((each) => brief.includes(each)).length;
    console.log(`command line sees ${shown} of ${titles.length} decisions`);
    console.log(`${complete} of ${driven.length} clients see every decision in their next conversation`);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

async function person({ home, repository }: World, args: string[]): Promise<string> {
  const env = { HOME: home, USER: 'ada' };
  const { stdout, stderr } = await runProcess(launcher, args, { cwd: repository, env });
  return `${stdout}${stderr}`;
}

/** A script answers before a loaded machine has started the server: a person would ask again. */
async function talk(world: World, drive: Drive, calls: Script['calls']): Promise<string> {
  let seen = await converse(world, drive, calls);
  for (let again = 0; again < 3 && /still connecting/.test(seen); again++)
    seen = await converse(world, drive, calls);
  return seen;
}

/** One new conversation: installs the server, plays the script, and returns what the client's tools answered. */
async function converse(
  { home, repository, from }: World,
  drive: Drive,
  calls: Script['calls'],
): Promise<string> {
  const model = await startScriptedModel({ calls, words, server: drive.server });
  try {
    const env = { HOME: home, ...drive.prepare(home, model) };
    const cwd = repository;
    const installed = await runProcess(launcher, ['mcp', 'install', drive.client], { cwd, env });
    if (installed.code !== 0) throw new Error(`install: ${installed.stderr}`);
    const program = programOf(drive, from) ?? '';
    const ran = await runProcess(program, drive.args('Go on.'), { cwd, env, timeoutMs: 240_000 });
    const isFinished = ran.stdout.toString().includes(words);
    console.log(
      `${drive.client}: ${isFinished ? 'played the script to its end' : `ended with ${ran.code}${ran.timedOut ? ' (time limit)' : ''}`}; ${model.results().length} tool results`,
    );
    if (!isFinished)
      console.log(
        `  offered: ${model.offered().join(', ').slice(0, 800)}\n  stdout: ${ran.stdout.toString().slice(-1500)}\n  stderr: ${ran.stderr.slice(-1500)}`,
      );
    return model.results().join('\n');
  } finally {
    model.close();
    await runProcess(launcher, ['mcp', 'uninstall', drive.client], {
      cwd: repository,
      env: { HOME: home },
    });
  }
}

export default clients;
