import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestRepository, testRepository } from './repository.ts';
import { startSylk, sylk } from './sylk.ts';
import { temporaryDirectory } from './temporary.ts';

/** What a scripted engineer answers, by the beginning of its task. */
export type Scripts = Record<string, object[]>;

export const call = (name: string, input: object) => ({ calls: [{ name, input }] });
export const edit = (path: string, old_content: string, new_content: string) =>
  call('edit_file', { path, old_content, new_content });
export const write = (path: string, content: string) => call('write_file', { path, content });
export const read = (path: string) => call('read_file', { path });
export const done = (result = 'Done.') => call('signal_complete', { result, files_modified: [] });

interface PlanNode {
  id: string;
  prompt?: string;
  agent?: string;
  depends_on?: string[];
  touches?: string[];
}

/** A repository with tests of its own, a plan, and engineers that do what a script says. */
export function teamAt(request: {
  files: Record<string, string>;
  nodes: PlanNode[];
  scripts: Scripts;
  policy?: object;
}) {
  const repository = testRepository();
  repository.commit('first', request.files);
  return teamIn(repository, request);
}

function teamIn(
  repository: TestRepository,
  { nodes, scripts, policy }: { nodes: PlanNode[]; scripts: Scripts; policy?: object },
) {
  const home = temporaryDirectory('home');
  const [plan, script] = [join(home, 'plan.json'), join(home, 'script.json')];
  const full = nodes.map(({ prompt = '', ...node }) => ({
    agent: 'engineer',
    prompt: prompt || `Do ${node.id}`,
    ...node,
  }));
  writeFileSync(plan, JSON.stringify({ prompt: 'The whole of it', nodes: full, policy }));
  const writeScripts = (given: Scripts) =>
    writeFileSync(
      script,
      JSON.stringify({
        price: { input: 3, output: 15 },
        conversations: Object.entries(given).map(([task, steps]) => ({ when: `# Task\n${task}`, steps })),
      }),
    );
  writeScripts(scripts);
  const env = { SYLK_HOME: join(home, 'sylk') };
  const flags = ['--from', plan, '--model', `script:${script}`];
  const run = (...args: string[]) => {
    const { code, out, err } = sylk(repository.path, ['run', ...args, '--json'], { env });
    const lines = out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { code, err, lines, result: lines.find(({ type }) => type === 'result')?.output ?? lines.at(-1) };
  };
  return {
    repository,
    home,
    flags,
    /** Any operation. */
    ask: (name: string, input: object) =>
      JSON.parse(sylk(repository.path, ['call', name, JSON.stringify(input), '--json'], { env }).out),
    run,
    writeScripts,
    start: (...args: string[]) => run(...flags, ...args),
    /** The real program, to be killed. */
    begin: () => startSylk(repository.path, ['run', ...flags, '--yes', '--json'], env),
    /** What must stay as it was. */
    checkout: () => [
      repository.git('rev-parse', 'HEAD'),
      repository.git('symbolic-ref', 'HEAD'),
      repository.git('status', '--porcelain'),
    ],
  };
}
