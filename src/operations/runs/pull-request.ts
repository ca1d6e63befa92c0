import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { programOnPath, runProcess } from '../../base/process/index.ts';
import { redact } from '../../base/redact.ts';
import { operation } from '../operation.ts';
import { findRun } from './execute.ts';
import { type RunView, runView, viewRun } from './view.ts';

/** The person's own programs, by the words of the remote's address. They have the person's login; Sylk never sees it. */
const forges = [
  { program: 'glab', host: /gitlab/i, tokens: ['GITLAB_TOKEN', 'GITLAB_HOST'] },
  { program: 'gh', host: /(?:)/, tokens: ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST'] },
] as const;

interface Proposal {
  branch: string;
  onto: string;
  title: string;
  body: string;
}

const argumentsOf: Record<(typeof forges)[number]['program'], (proposal: Proposal) => string[]> = {
  gh: ({ branch, onto, title, body }) => [
    'pr',
    'create',
    '--head',
    branch,
    '--base',
    onto,
    '--title',
    title,
    '--body',
    body,
  ],
  glab: ({ branch, onto, title, body }) => [
    'mr',
    'create',
    '--source-branch',
    branch,
    '--target-branch',
    onto,
    '--title',
    title,
    '--description',
    body,
    '--yes',
  ],
};

export const openPullRequest = operation({
  name: 'open_pull_request',
  summary:
    'Opens a pull request for the branch of a completed run, with your own gh or glab: title and text come from the run. You push the branch yourself.',
  effect: 'setup',
  input: z.object({
    run: z.string().optional().describe('id of the run, or the end of it; default: the newest'),
    onto: z.string().default('main').describe('the branch that it is for'),
    remote: z.string().default('origin'),
    title: z.string().max(250).optional().describe('default: the first line of what the run was asked for'),
  }),
  output: z.object({ run: z.string(), branch: z.string(), onto: z.string(), url: z.string() }),
  examples: [{ run: 'run_that_was_never_started' }],
  command: { positionals: ['run', 'onto'] },
  render: ({ url, branch, onto }) => `${branch} is proposed for ${onto}: ${url}`,
  run: async ({ run: given, onto, remote, title }, { app, signal }) => {
    const id = await findRun(app, given);
    const view = runView.parse(await viewRun(app, await (await app.runs()).state(id)));
    const branch = await requirePushed(app, view, remote);
    const { program, path, tokens } = findForge(app, remote);
    const proposal = { branch, onto, title: title ?? titleOf(view), body: redact(bodyOf(view)) };
    const env = Object.fromEntries(tokens.flatMap((name) => (app.env[name] ? [[name, app.env[name]]] : [])));
    const result = await runProcess(path, argumentsOf[program](proposal), {
      cwd: app.repository.root,
      env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
      timeoutMs: 60_000,
      signal,
    });
    const [stdout, stderr] = [result.stdout, result.stderr].map(String);
    const url = /https?:\/\/\S+/.exec(stdout ?? '')?.[0];
    if (result.code === 0 && url) return { run: id, branch, onto, url };
    throw new SylkError(
      'UNAVAILABLE',
      `${program} did not open a pull request: ${(stderr || stdout || '').trim().slice(-500)}`,
      {
        hint: `Run \`${program} auth status\` to see whether you are logged in. The branch ${branch} is pushed.`,
      },
    );
  },
});

async function requirePushed(
  app: App,
  { run, status, branch, commit }: RunView,
  remote: string,
): Promise<string> {
  if (status !== 'completed' || branch === undefined || commit === undefined)
    throw new SylkError('INVALID_OPERATION', `${run} is ${status}: it has no branch to propose yet.`, {
      hint: `sylk run show ${run}`,
    });
  const ref = `refs/remotes/${remote}/${branch}`;
  const pushed = await app.git.text(['rev-parse', '--verify', '--quiet', ref], { accept: [1, 128] });
  if (pushed !== commit)
    throw new SylkError('INVALID_OPERATION', `${remote} does not have ${branch} as it is now.`, {
      hint: `Push it, then try again: git push ${remote} ${branch}`,
    });
  return branch;
}

function findForge(app: App, remote: string) {
  const address = app.git.setting(`remote.${remote}.url`) ?? '';
  const forge = forges.find(({ host }) => host.test(address));
  const path = forge && programOnPath(forge.program, app.env);
  if (forge && path) return { ...forge, path };
  throw new SylkError('UNAVAILABLE', `${forge?.program ?? 'gh'} was not found on PATH.`, {
    hint: 'Install it and log in (https://cli.github.com, https://gitlab.com/gitlab-org/cli), or open the pull request on the pages of your forge: the branch is pushed.',
  });
}

const titleOf = ({ prompt }: RunView): string => redact(prompt.split('\n', 1)[0] ?? '').slice(0, 250);

const bodyOf = ({ run, prompt, nodes, gates, files, review }: RunView): string =>
  [
    prompt,
    '## Parts',
    ...nodes.map(({ id, stage }) => `- ${id}: ${stage}`),
    ...(gates.length > 0 ? ['## Checks', ...gates.map((line) => `- ${line}`)] : []),
    ...(review.length > 0 ? ['## Changes to what judges changes', ...review.map((line) => `- ${line}`)] : []),
    `${files.length} files changed. Made by ${run}.`,
  ].join('\n');
