import { isAbsolute } from 'node:path';
import type { LoadedConfig } from '../../base/config/index.ts';
import { person } from '../../base/files/index.ts';
import type { Handshake } from '../../base/mcp-handshake.ts';
import { failureOf, finding, type Repairable } from './finding.ts';

export interface ClientEntry {
  id: string;
  title: string;
  detected: boolean;
  installed: Array<{ scope: string; path: string; command?: string }>;
  problem?: string;
}

export interface IndexState {
  /** Why it could not be read at the last attempt. */
  failure?: { message: string; hint?: string | undefined } | undefined;
  name: string;
  state: string;
  detail: string;
  fresh: boolean;
}

export function checkConfiguration(read: () => LoadedConfig): Repairable[] {
  try {
    const { warnings, origins } = read();
    const count = origins.filter((origin) => origin.from !== 'default').length;
    return [
      finding('config', { count }),
      ...warnings.map((warning, index) => finding('config-{at}', { at: index + 1, warning })),
    ];
  } catch (error) {
    return [finding('config/failed', failureOf(error, 'Fix that line.'))];
  }
}

export async function checkStores(
  stores: Record<string, () => unknown>,
  recreated: () => Promise<readonly string[]> = async () => [],
): Promise<Repairable[]> {
  const findings: Repairable[] = [];
  for (const [name, open] of Object.entries(stores)) {
    try {
      await open();
    } catch (error) {
      findings.push(finding('store-{name}', { name, ...failureOf(error, 'See `sylk logs`.') }));
    }
  }
  const failed = findings.length;
  const tables = failed > 0 ? [] : await recreated();
  if (tables.length > 0)
    findings.push(finding('tables', { count: tables.length, tables: tables.join(', ') }));
  const count = Object.keys(stores).length;
  return [...findings, finding('stores', { count, opened: count - failed })];
}

/** A library that can't be opened is told by the stores. */
export async function checkBackups(
  failures: () => Promise<Array<string | undefined>> = async () => [],
): Promise<Repairable[]> {
  const told = await failures().catch(() => []);
  return told.flatMap((why) => (why === undefined ? [] : [finding('backup', { why })]));
}

export async function checkFreshness(states: () => Promise<IndexState[]>): Promise<Repairable[]> {
  try {
    return (await states()).map(({ name, state, detail, fresh, failure }) => {
      const said = detail === '' ? state : `${state}: ${detail}`;
      if (!failure) return finding(fresh ? 'index-{name}' : 'index-{name}/old', { name, said });
      return finding('index-{name}/failed', {
        name,
        why: failure.message,
        fix: failure.hint ?? 'sylk index',
      });
    });
  } catch (error) {
    return [finding('index-state', failureOf(error, 'sylk index --rebuild'))];
  }
}

export async function checkServer(probe: () => Promise<Handshake>): Promise<Repairable> {
  const answer = await probe();
  return finding(answer.ok ? 'mcp' : 'mcp/silent', answer);
}

export function checkClients(clients: ClientEntry[]): Repairable[] {
  const findings = clients.flatMap((client) => [
    ...(client.problem ? [finding('client-{id}/unreadable', client)] : []),
    ...client.installed.map((entry) => {
      const { scope, command } = entry;
      const isGone = command !== undefined && isAbsolute(command) && !person.exists(command);
      const flag = scope === 'project' ? ' --scope project' : '';
      return finding(isGone ? 'client-{id}/gone' : 'client-{id}', { ...client, ...entry, flag });
    }),
  ]);
  const waiting = clients.filter(
    (client) => client.detected && client.installed.length === 0 && !client.problem,
  );
  if (waiting.length === 0) return findings;
  const titles = waiting.map((client) => client.title).join(', ');
  return [...findings, finding('clients', { titles, first: waiting[0]?.id })];
}
