import { isAbsolute } from 'node:path';
import type { LoadedConfig } from '../../base/config/index.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { Handshake } from '../../base/mcp-handshake.ts';
import { note, ok, problem, type Repairable } from './finding.ts';

export interface ClientEntry {
  id: string;
  title: string;
  detected: boolean;
  installed: Array<{ scope: string; path: string; command?: string }>;
  problem?: string;
}

export interface IndexState {
  /** Why it could not be read when that was tried last. */
  failure?: { message: string; hint?: string | undefined } | undefined;
  name: string;
  state: string;
  detail: string;
  fresh: boolean;
}

export function checkConfiguration(read: () => LoadedConfig): Repairable[] {
  try {
    const { warnings, origins } = read();
    const set = origins.filter((origin) => origin.from !== 'default').length;
    return [
      ok('config', 'Configuration', `${set} key(s) set`),
      ...warnings.map((warning, at) =>
        note(
          `config-${at + 1}`,
          'Configuration',
          warning,
          'Correct or remove that line; or see `sylk config show --origin`.',
        ),
      ),
    ];
  } catch (error) {
    return [failure('config', 'Configuration', error, 'Correct that line.')];
  }
}

export async function checkStores(stores: Record<string, () => unknown>): Promise<Repairable[]> {
  const findings: Repairable[] = [];
  for (const [name, open] of Object.entries(stores)) {
    try {
      await open();
    } catch (error) {
      findings.push(failure(`store-${name}`, `Store: ${name}`, error, 'See `sylk logs`.'));
    }
  }
  const opened = Object.keys(stores).length - findings.length;
  return [...findings, ok('stores', 'Stores', `${opened} of ${Object.keys(stores).length} open`)];
}

export async function checkFreshness(states: () => Promise<IndexState[]>): Promise<Repairable[]> {
  try {
    return (await states()).map(({ name, state, detail, fresh, failure }) => {
      const said = `${state}: ${detail}`;
      const title = `Index: ${name}`;
      if (failure) return problem(`index-${name}`, title, failure.message, failure.hint ?? 'sylk index');
      return fresh ? ok(`index-${name}`, title, said) : note(`index-${name}`, title, said, 'sylk index');
    });
  } catch (error) {
    return [failure('index-state', 'Index', error, 'sylk index --rebuild')];
  }
}

export async function checkServer(probe: () => Promise<Handshake>): Promise<Repairable[]> {
  const answer = await probe();
  return [
    answer.ok
      ? ok('mcp', 'MCP server', `started and answered with ${answer.tools} tools (${answer.protocol})`)
      : problem(
          'mcp',
          'MCP server',
          `It did not answer a client: ${answer.problem}`,
          'Run `sylk mcp` by hand in the repository and read what it says; `sylk logs --level error` has more.',
        ),
  ];
}

export function checkClients(clients: ClientEntry[]): Repairable[] {
  const findings: Repairable[] = [];
  for (const client of clients) {
    if (client.problem)
      findings.push(
        problem(
          `client-${client.id}`,
          client.title,
          client.problem,
          'Correct that file; Sylk did not touch it.',
        ),
      );
    for (const { scope, path, command } of client.installed) {
      const gone = command !== undefined && isAbsolute(command) && !person.exists(command);
      findings.push(
        gone
          ? problem(
              `client-${client.id}`,
              client.title,
              `${path} starts ${command}, which is gone.`,
              `sylk mcp install ${client.id}${scope === 'project' ? ' --scope project' : ''}`,
            )
          : ok(`client-${client.id}`, client.title, `installed (${scope})`),
      );
    }
  }
  const waiting = clients.filter(
    (client) => client.detected && client.installed.length === 0 && !client.problem,
  );
  if (waiting.length > 0)
    findings.push(
      note(
        'clients',
        'Coding clients',
        `${waiting.map((client) => client.title).join(', ')} found without Sylk.`,
        `sylk mcp install ${waiting[0]!.id}`,
      ),
    );
  return findings;
}

function failure(id: string, title: string, error: unknown, fallback: string): Repairable {
  const hint = error instanceof SylkError ? error.hint : undefined;
  return problem(id, title, messageOf(error), hint ?? fallback);
}
