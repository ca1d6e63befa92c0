import { person } from '../../base/files/index.ts';
import type { Calls } from './calls.ts';

interface Agents {
  agents: Array<{ id: string; title: string; program?: string; version?: string; login: string }>;
}
interface Models {
  providers: Array<{ name: string; key: string }>;
  roles: Array<{ role: string; model: string }>;
}

/** Stands on the screen before anything is looked for. */
export const welcome =
  'This is the memory of the repository. Ask it anything: where is …, why was …, what calls …, what changed lately in …';

/** What is here to work with, and the one question about it. Nobody is among the answers. */
export async function firstStart(calls: Calls): Promise<{ text: string; options: string[] }> {
  const [agents, models] = await Promise.all([
    calls.call({ operation: 'list_agents' }),
    calls.call({ operation: 'list_models' }),
  ]);
  const installed =
    agents.kind === 'done' ? (agents.output as Agents).agents.filter(({ program }) => program) : [];
  const { providers, roles } =
    models.kind === 'done' ? (models.output as Models) : { providers: [], roles: [] };
  const keys = providers.filter(({ key }) => key !== '');
  const engineer = roles.find(({ role }) => role === 'engineer')?.model ?? '';
  const options = ['none', ...installed.map(({ id }) => id), ...(engineer ? [engineer] : [])];
  const found = [
    ...installed.map(
      ({ title, version, login }) => `${title}${version ? ` ${version}` : ''}${logins[login] ?? ''}`,
    ),
    ...keys.map(({ name, key }) => `${name} (${key})`),
  ];
  if (options.length < 2)
    return {
      text: `No coding agent and no model key was found, and none is needed for that. /agents and /models say how to add one.`,
      options,
    };
  const named = options.map((option, at) => `  ${at + 1}  ${option === 'none' ? 'nobody for now' : option}`);
  return {
    text: [`Found: ${found.join(', ')}.`, 'Who shall work in your runs?', ...named].join('\n'),
    options,
  };
}

const logins: Record<string, string> = { none: ', not logged in' };

/** The choice as inputs of an operation that works. */
export const workerInput = (name: string): { agent?: string; model?: string } =>
  name === 'none' || name === ''
    ? {}
    : name.includes('/') || name.startsWith('script:')
      ? { model: name }
      : { agent: name };

/** Why a name can't be the one who works; nothing where it can. */
export async function workerProblem(calls: Calls, name: string): Promise<string | undefined> {
  if (name === 'none') return undefined;
  if (name.startsWith('script:')) {
    const path = name.slice('script:'.length);
    return person.readText(path) === undefined ? `There is no script at ${path}.` : undefined;
  }
  if (name.includes('/')) return undefined;
  const said = await calls.call({ operation: 'list_agents' });
  const agents = said.kind === 'done' ? (said.output as Agents).agents : [];
  const found = agents.find(({ id }) => id === name);
  if (found?.program) return undefined;
  return found ? `${found.title} is not installed here.` : `Unknown worker ${JSON.stringify(name)}.`;
}
