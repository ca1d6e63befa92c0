import { answersNow, type Target, targets } from '../answers/reader/index.ts';

const agents: Record<Target, { about: string; say: string }> = {
  librarian: { about: 'questions about the code', say: 'where is the rate limiter' },
  archivalist: {
    about: 'questions about history and decisions, and what to remember',
    say: 'how did we handle the auth migration last month',
  },
  academic: {
    about: 'questions to the references, and how it is done here',
    say: "what's best practice for retries",
  },
  guide: { about: 'help, status, sessions', say: '/session list' },
  architect: { about: 'features to build or change', say: 'add a health check endpoint' },
  designer: { about: 'design of the user interface', say: 'make the sidebar collapse on small screens' },
  engineer: { about: 'a running task', say: '/task 1 query "What files have you modified?"' },
  inspector: { about: 'review of code', say: 'review my uncommitted changes' },
  tester: { about: 'tests', say: 'write unit tests for the auth module' },
  orchestrator: { about: 'what runs now', say: '@orchestrator how far is it' },
};

export const guideCommands = [
  { command: '@agent …', about: 'addresses one agent' },
  { command: '/session new|list|show|switch|suspend|resume|complete|close', about: 'changes sessions' },
  {
    command: '/task N prompt|query|interrupt|cancel|ignore_inspector|ignore_tester',
    about: 'addresses a running pipeline',
  },
  { command: '/help, /status', about: 'this help, and the status' },
];

export const describeAgents = () =>
  targets.map((agent) => ({ agent, ...agents[agent], available: answersNow.has(agent) }));

export const helpText = (): string =>
  [
    'Write it in your own words, or address an agent:',
    ...describeAgents().map(
      ({ agent, about, say, available }) =>
        `  @${agent.padEnd(13)} ${about}${available ? '' : ' (needs agents)'}\n${' '.repeat(17)}${say}`,
    ),
    'Commands:',
    ...guideCommands.map(({ command, about }) => `  ${command} — ${about}`),
  ].join('\n');
