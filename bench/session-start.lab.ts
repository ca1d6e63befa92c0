import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openApp } from '../src/app.ts';
import { runOperation } from '../src/operations/run.ts';
import { gitText } from './claims/tree-facts.ts';
import { makeRepository } from './clients/drives.ts';
import { type Chat, readChats, readSittings } from './memory/chats.ts';
import type { BenchOptions } from './run-named.ts';

interface Remembered {
  title: string;
  files: string[];
}

/** Entries that must be there before a conversation is replayed: with fewer, five are nearly everything. */
const leastEntries = 8;

/**
 * Replays public conversations of a coding agent (`--from FILE`, an aider history), or what people committed in one sitting
 * (`--from GITDIR`): what earlier ones did is remembered,
 * then a new one starts with its first prompt. What it is given is useful where an entry shown is about a file that the
 * conversation goes on to edit. Beside it: the newest five entries. `--cases N` for each file, spread evenly.
 */
export default async function sessionStart({ from, cases = '20' }: BenchOptions): Promise<void> {
  const sum = { replayed: 0, ours: 0, newest: 0, without: 0 };
  for (const path of from) {
    const chats = statSync(path).isDirectory() ? sittingsOf(path) : readChats(readFileSync(path, 'utf8'));
    const own = await replayAll(basename(dirname(path)), chats, Number(cases));
    for (const key of ['replayed', 'ours', 'newest', 'without'] as const) sum[key] += own[key];
  }
  console.log(
    `\n${sum.replayed} conversations: useful ${sum.ours}, newest five entries ${sum.newest}; ${sum.without} more had nothing in memory about their files`,
  );
}

/** The last commits only: what an agent remembers of one stretch of work. */
const sittingsOf = (gitDirectory: string): Chat[] =>
  readSittings(
    gitText(gitDirectory, [
      'log',
      '--reverse',
      '--no-merges',
      '-n150',
      '--name-only',
      '--format=%x01%an%x00%ct%x00%s',
    ]),
  );

async function replayAll(name: string, chats: Chat[], most: number) {
  const place = mkdtempSync(join(tmpdir(), 'sylk-start-'));
  makeRepository(place);
  const app = openApp({ directory: place, flags: ['embedding.enabled=false'] });
  const call = async (
    operation: string,
    input: Record<string, unknown>,
    kind: 'agent' | 'person' = 'agent',
  ) => {
    const outcome = await runOperation(app, { name: operation, input, caller: { kind, name: 'aider' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output;
  };
  const hook = async (event: string, payload: Record<string, unknown>): Promise<string> => {
    const input = { client: 'claude-code', event, payload };
    const { reply } = (await call('run_client_hook', input, 'person')) as { reply: string };
    return reply ? JSON.parse(reply).hookSpecificOutput.additionalContext : '';
  };
  const memory: Remembered[] = [];
  const eligible = chats.filter(({ steps }) => steps.some(({ files }) => files.length > 0));
  const found = { replayed: 0, ours: 0, newest: 0, without: 0 };
  try {
    for (const { at, steps } of eligible) {
      const edited = new Set(steps.flatMap(({ files }) => files));
      const isAbout = ({ files }: Remembered) => files.some((file) => edited.has(file));
      const prompt = steps.find((step) => /^[^/]/.test(step.prompt))?.prompt ?? '';
      if (memory.length >= leastEntries && found.replayed < most && prompt) {
        if (!memory.some(isAbout)) found.without++;
        else {
          const given = `${await hook('start', { session_id: at })}\n${await hook('prompt', { session_id: at, prompt })}`;
          const shown = memory.filter(({ title }) => given.includes(title));
          const newest = memory.slice(-5);
          found.replayed++;
          if (shown.some(isAbout)) found.ours++;
          if (newest.some(isAbout)) found.newest++;
          console.log(
            `${name} ${at} ${shown.some(isAbout) ? 'useful' : 'not useful'} (${shown.filter(isAbout).length} of ${shown.length} shown; newest five ${newest.filter(isAbout).length}): ${prompt.slice(0, 100)}`,
          );
        }
      }
      for (const step of steps.filter(({ files }) => files.length > 0)) {
        const title = (step.subject || step.prompt).slice(0, 60).trim();
        const content = `${step.subject}. Asked for: ${step.prompt.slice(0, 300)}`;
        await call('store_entry', { title, content, category: 'decision', code_references: step.files });
        memory.push({ title, files: step.files });
      }
    }
  } finally {
    await app.close();
    rmSync(place, { recursive: true, force: true });
  }
  return found;
}
