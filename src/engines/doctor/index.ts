// Owns: the health checks of an installation, and the repairs that are safe without asking.
// Knows: files, databases, processes; everything of the product comes in as functions.
// Must not know: what any store means by its rows.

import type { LoadedConfig } from '../../base/config/index.ts';
import { messageOf } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import type { Handshake } from '../../base/mcp-handshake.ts';
import { redactValue } from '../../base/redact.ts';
import { checkDatabase, type DatabaseFile } from './database-checks.ts';
import { checkDirectory } from './directory-checks.ts';
import type { Finding, Repairable } from './finding.ts';
import { checkProcesses, type RunningServer, runningServers } from './process-checks.ts';
import {
  type ClientEntry,
  checkBackups,
  checkClients,
  checkConfiguration,
  checkFreshness,
  checkServer,
  checkStores,
  type IndexState,
} from './product-checks.ts';
import { checkGit, checkRuntime, type RuntimeFacts, thisRuntime } from './runtime-checks.ts';
import { checkTeam, type TeamFacts } from './team-checks.ts';

export { collectBundle } from './bundle.ts';
export type { Finding } from './finding.ts';
export { readLog } from './logs.ts';

export interface DoctorOptions {
  repository: Repository;
  git: Git;
  databases: DatabaseFile[];
  readConfig(): LoadedConfig;
  stores: Record<string, () => unknown>;
  /** Tables that were missing when the stores opened. */
  recreated?: () => Promise<readonly string[]>;
  /** Why the daily backup of a library could not be made. */
  backups?: () => Promise<Array<string | undefined>>;
  freshness(): Promise<IndexState[]>;
  probe(): Promise<Handshake>;
  clients(): ClientEntry[];
  /** Where the library is shared by a team. */
  team?: TeamFacts | undefined;
  runtime?: RuntimeFacts;
  servers?: () => RunningServer[];
  walLimit?: number;
}

export interface Diagnosis {
  healthy: boolean;
  findings: Finding[];
}

/** Inspects first and opens the product's own stores last, because opening may already repair damage. */
export async function diagnose(options: DoctorOptions, fix = false): Promise<Diagnosis> {
  const found: Repairable[] = [
    ...checkRuntime(options.runtime ?? thisRuntime, options.repository.root),
    ...(await checkGit(options.git, options.repository)),
    ...(await checkDirectory(options.repository, options.git)),
    ...checkConfiguration(options.readConfig),
    ...options.databases.flatMap((file) => checkDatabase(file, options.walLimit)),
    ...checkProcesses(options.repository.state.directory, (options.servers ?? runningServers)()),
    ...checkClients(options.clients()),
  ];
  const usable = !found.some(({ id, state }) => state === 'problem' && (id === 'directory' || id === 'git'));
  if (usable) {
    // Opening a store creates the state directory; if there is none yet, a check must not create it.
    if (state.exists(options.repository.state.directory))
      found.push(
        ...(await checkStores(options.stores, options.recreated)),
        ...(await checkBackups(options.backups)),
        ...(await checkFreshness(options.freshness)),
      );
    if (options.team) found.push(...(await checkTeam(options.team)));
    found.push(await checkServer(options.probe));
  }
  const findings: Finding[] = [];
  for (const { repair, ...finding } of found)
    findings.push(fix && repair ? await repaired(finding, repair) : finding);
  return {
    healthy: !findings.some((finding) => finding.state === 'problem'),
    findings: redactValue(findings),
  };
}

async function repaired(finding: Finding, repair: NonNullable<Repairable['repair']>): Promise<Finding> {
  try {
    return { ...finding, state: 'fixed', detail: `${finding.detail} → ${await repair()}` };
  } catch (error) {
    return { ...finding, detail: `${finding.detail} (repair failed: ${messageOf(error)})` };
  }
}
