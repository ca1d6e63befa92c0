import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import type { Caller } from '../src/operations/operation.ts';
import { runOperation } from '../src/operations/run.ts';
import type { BenchOptions } from './run-named.ts';

const topic = {
  title: 'Dioxus - Rust UI Framework',
  body: 'Dioxus is a portable, performant framework for building cross-platform UIs in Rust.',
  sources: [
    {
      type: 'git',
      url: 'https://github.com/DioxusLabs/dioxus',
      ref: 'main',
      paths: ['README.md', 'examples/'],
    },
    { type: 'web', url: 'https://dioxuslabs.com/learn/0.6/' },
  ],
  tags: ['rust', 'ui', 'framework', 'dioxus'],
};
const questions = ['component lifecycle hooks', 'use_signal state', 'router with nested routes'];

/** The Dioxus walk-through against the real addresses. Only with the word `online`: it leaves this machine. */
export default async function dioxusNetwork({ words }: BenchOptions): Promise<void> {
  if (!words.includes('online')) {
    console.log(
      'This lab needs the network: it asks github.com and dioxuslabs.com. Run it as `dioxus-network online`.',
    );
    return;
  }
  const base = mkdtempSync(join(tmpdir(), 'sylk-dioxus-'));
  const project = join(base, 'project');
  mkdirSync(project);
  spawnSync('git', ['init', '-q', project]);
  const app = openApp({ directory: project, env: { ...process.env, SYLK_HOME: join(base, 'home') } });
  const call = (kind: Caller['kind'], name: string, input: object) =>
    runOperation(app, { name, input, caller: { kind, name: 'lab' } });
  try {
    const asked = await call('agent', 'reference_topic_create', topic);
    const approval = asked.ok ? undefined : asked.error.data?.['approval_id'];
    if (asked.ok || !approval)
      return console.log(`No approval was asked for: ${asked.ok ? 'created' : said(asked.error)}`);
    console.log(`asked: ${asked.error.message}`);
    await call('person', 'approve_reference_topic', { approval_id: approval });
    const started = performance.now();
    const made = await call('agent', 'reference_topic_create', { ...topic, approval_id: approval });
    if (!made.ok) return console.log(`Not created: ${said(made.error)}`);
    console.log(
      `created in ${Math.round((performance.now() - started) / 1000)} s: ${JSON.stringify(made.output)}`,
    );
    for (const question of questions) {
      const found = await call('agent', 'reference_search', { question, limit: 3 });
      if (!found.ok) return console.log(said(found.error));
      const { results } = found.output as { results: Array<{ file: string; url?: string; heading: string }> };
      console.log(`\n${question}`);
      for (const { file, url, heading } of results) console.log(`  ${url ?? file}  ${heading}`);
    }
  } finally {
    await app.close();
    rmSync(base, { recursive: true, force: true });
  }
}

const said = ({
  code,
  message,
  hint,
}: {
  code: string;
  message: string;
  hint?: string | undefined;
}): string => [code, message, hint].filter(Boolean).join(' ');
