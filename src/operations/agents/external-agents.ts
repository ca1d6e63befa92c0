import { z } from 'zod';
import { operation } from '../operation.ts';

const row = z.object({
  id: z.string(),
  title: z.string(),
  program: z.string().optional().describe('what is started; absent where it is not installed'),
  version: z.string().optional(),
  login: z
    .enum(['file', 'variable', 'none', 'unknown'])
    .describe('whether a login file or a key in the environment is there; neither is read'),
  is_default: z.boolean().describe('works where no agent is named'),
  next: z.string().optional().describe('what to type to use it'),
});

export const listAgents = operation({
  name: 'list_agents',
  summary:
    'Coding agents that can do the work of a task (Claude Code, Codex, Gemini, opencode …), and which are here.',
  effect: 'read',
  input: z.object({}),
  output: z.object({ agents: z.array(row) }),
  examples: [{}],
  render: ({ agents }) => agents.map(agentLine).join('\n'),
  run: async (_, { app }) => {
    const found = (await app.externalAgents()).list();
    return {
      agents: found.map(({ agent, program, version, login, hasClient }) => ({
        id: agent.id,
        title: agent.title,
        program,
        version,
        login,
        is_default: app.config.agents.engineer === agent.id,
        next: program ? nextStep(agent.login?.command, login) : installLine(agent, hasClient),
      })),
    };
  },
});

const nextStep = (command: string | undefined, login: string): string | undefined =>
  login === 'none' && command ? `log in: ${command}` : undefined;

const installLine = (
  {
    install,
    client,
    programs,
  }: { install?: string | undefined; client?: string | undefined; programs: string[] },
  hasClient: boolean,
): string => {
  const line = install ?? `put ${programs.join(' or ')} on PATH`;
  return hasClient && client && !programs.includes(client)
    ? `${client} is here, its adapter is not: ${line}`
    : line;
};

const logins = {
  file: 'logged in',
  variable: 'key in the environment',
  none: 'not logged in',
  unknown: 'login unknown',
};

const agentLine = ({
  id,
  title,
  program,
  version,
  login,
  is_default,
  next,
}: z.output<typeof row>): string => {
  const state = program ? `${version ?? 'version unknown'}, ${logins[login]}` : 'not installed';
  const about = `${is_default ? '* ' : '  '}${id.padEnd(14)} ${title.padEnd(14)} ${state}`;
  return next ? `${about}\n${' '.repeat(17)}${next}` : about;
};

export const testAgent = operation({
  name: 'test_agent',
  summary: 'Starts a coding agent as a run would, in its sandbox, and opens a session. No model is asked.',
  effect: 'setup',
  input: z.object({ agent: z.string().min(1).describe('its name, as `sylk agents` lists it') }),
  output: z.object({
    agent: z.string(),
    version: z.string().optional(),
    protocol: z.number(),
    is_ready: z.boolean().describe('false where it wants a login first'),
    can_resume: z.boolean().describe('goes on with its session after its process has ended'),
    modes: z.array(z.string()),
    confinement: z.string(),
    refused_hosts: z.array(z.string()).describe('hosts that it asked for and may not reach'),
    next: z.string().optional(),
  }),
  examples: [{ agent: 'nobody' }],
  command: { positionals: ['agent'] },
  isFailure: ({ is_ready }) => !is_ready,
  render: ({ agent, version, protocol, is_ready, can_resume, modes, confinement, refused_hosts, next }) =>
    [
      `${is_ready ? '✓' : '✗'} ${agent} ${version ?? ''} speaks protocol ${protocol}; ${is_ready ? 'a session opens' : 'no session opens'}`,
      `  after a crash: ${can_resume ? 'goes on with its session' : 'a new session goes on from the checkpoint'}`,
      ...(modes.length > 0 ? [`  modes: ${modes.join(', ')}`] : []),
      `  confined by: ${confinement}`,
      ...(refused_hosts.length > 0 ? [`  asked for and refused: ${refused_hosts.join(', ')}`] : []),
      ...(next ? [`  ${next}`] : []),
    ].join('\n'),
  run: async ({ agent }, { app, emit }) => {
    const agents = await app.externalAgents();
    const { title, isReady, canResume, refusedHosts, ...test } = await agents.test(agent, (text) =>
      emit({ type: 'text', text }),
    );
    return { agent: title, is_ready: isReady, can_resume: canResume, refused_hosts: refusedHosts, ...test };
  },
});
