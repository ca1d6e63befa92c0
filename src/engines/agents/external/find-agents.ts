import { dirname, isAbsolute, join } from 'node:path';
import { didYouMean } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import { person } from '../../../base/files/index.ts';
import { parseJsonObject } from '../../../base/json.ts';
import { programOnPath } from '../../../base/process/index.ts';
import { placeOf } from './home.ts';
import { type ConfiguredAgent, configuredAgent, type KnownAgent, knownAgents } from './known-agents.ts';

export interface FoundAgent {
  agent: KnownAgent;
  /** The program with links resolved; undefined where it is not installed. */
  program: string | undefined;
  version: string | undefined;
  /** Whether the person has the client that an adapter is missing for. */
  hasClient: boolean;
  login: 'file' | 'variable' | 'none' | 'unknown';
}

export interface FindOptions {
  env: NodeJS.ProcessEnv;
  configured: Record<string, ConfiguredAgent>;
}

/** Every agent that is known or configured, and what of it is on this machine. Nothing is started; no token is read. */
export function findAgents({ env, configured }: FindOptions): FoundAgent[] {
  const own = Object.entries(configured).map(([id, given]) => configuredAgent(id, given));
  const others = knownAgents.filter(({ id }) => !own.some((agent) => agent.id === id));
  return [...own, ...others].map((agent) => {
    const program = agent.programs.flatMap((name) => programOnPath(name, env) ?? [])[0];
    return {
      agent,
      program,
      // An interpreter's version is not that of the script which it runs.
      version: program && versionOf(agent.arguments.find(isAbsolute) ?? program),
      hasClient: agent.client !== undefined && programOnPath(agent.client, env) !== undefined,
      login: loginOf(agent, env),
    };
  });
}

/** One agent by its name, ready to be started. */
export function requireAgent(name: string, options: FindOptions): FoundAgent & { program: string } {
  const all = findAgents(options);
  const wanted = all.find(({ agent }) => agent.id === name);
  if (!wanted)
    throw new SylkError('NOT_FOUND', `There is no agent ${JSON.stringify(name)}.`, {
      hint: didYouMean(
        name,
        all.map(({ agent }) => agent.id),
        '`sylk agents` lists them.',
      ),
    });
  const { agent, program } = wanted;
  if (program === undefined)
    throw new SylkError('UNAVAILABLE', `${agent.title} is not installed for use over ACP.`, {
      hint: agent.install ?? `Put ${agent.programs.join(' or ')} on PATH.`,
    });
  return { ...wanted, program };
}

/** From the package that the program belongs to: asking four programs takes seconds. */
function versionOf(program: string): string | undefined {
  for (let directory = dirname(program); directory !== dirname(directory); directory = dirname(directory)) {
    const text = person.readText(join(directory, 'package.json'));
    if (text === undefined) continue;
    const { version } = parseJsonObject(text);
    if (typeof version === 'string') return version.slice(0, 40);
  }
  return undefined;
}

function loginOf({ login }: KnownAgent, env: NodeJS.ProcessEnv): FoundAgent['login'] {
  if (!login) return 'unknown';
  if (login.variables.some((name) => env[name])) return 'variable';
  return login.files.some((path) => person.exists(placeOf(path, env))) ? 'file' : 'none';
}
