import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { RunView } from '../../src/operations/runs/view.ts';

export interface Conversation {
  /** The task that it answers. */
  task: string;
  steps: object[];
}

export interface PlayRequest {
  path: string;
  /** What a run is started with: a task or a plan, and its limits. */
  start: { task?: string; plan?: object; base?: string; loops?: number; concurrency?: number };
  conversations: Conversation[];
  /** Milliseconds between a question to the model and its answer. */
  think?: number | undefined;
  home?: string | undefined;
}

export const call = (name: string, input: object) => ({ calls: [{ name, input }] });

/** Steps that bring files to a content. A file that is there has to be read first. */
export const writeAll = (files: Iterable<[string, string]>, isThere: (file: string) => boolean): object[] =>
  [...files].flatMap(([path, content]) => [
    ...(isThere(path) ? [call('read_file', { path })] : []),
    call('write_file', { path, content }),
  ]);

/** A run with engineers that do what they are told, through the operations of the product. Questions about judges are approved. */
export async function playTeam(
  request: PlayRequest,
): Promise<RunView & { asked: number; isBroken: boolean }> {
  const { path, start, conversations, think, home } = request;
  const scratch = mkdtempSync(join(tmpdir(), 'play-'));
  const [script, from] = ['script.json', 'plan.json'].map((name) => join(scratch, name)) as [string, string];
  const told = conversations.map(({ task, steps }) => ({ when: `# Task\n${task}`, steps }));
  writeFileSync(script, JSON.stringify({ think_ms: think, conversations: told }));
  const { plan, ...limits } = start;
  if (plan) writeFileSync(from, JSON.stringify(plan));
  const env = home ? { ...process.env, SYLK_HOME: home } : process.env;
  const app = openApp({ directory: path, env, flags: ['agents.ask_minutes=0.001'] });
  const ask = async (name: string, input: object): Promise<RunView> => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'lab' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as RunView;
  };
  try {
    const source = plan ? { from } : {};
    let view = await ask('start_run', { ...limits, ...source, model: `script:${script}`, yes: true });
    let asked = 0;
    for (; asked < 5; asked++) {
      const question = view.needs_you.find(
        ({ options }) => options.includes('approve') && !options.includes('reject'),
      );
      if (!question) break;
      view = await ask('answer_run', { run: view.run, answer: 'approve', question: question.id });
    }
    return { ...view, asked, isBroken: view.needs_you[0]?.options[0] === 'retry' };
  } finally {
    await app.close();
    rmSync(scratch, { recursive: true });
  }
}
