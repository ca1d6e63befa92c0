import { homedir, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { LoadedConfig } from '../../base/config/index.ts';
import { state } from '../../base/files/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { Finding } from './finding.ts';
import { readLog } from './logs.ts';

export interface BundleRequest {
  stateDirectory: string;
  logFile: string;
  version: string;
  config: LoadedConfig;
  findings: Finding[];
  now: string;
}

/**
 * One file for a bug report: versions, sizes, findings, configuration, the end of the log. Never content of the
 * repository or of the library; secrets are removed and the home directory is written as ~.
 */
export function collectBundle(request: BundleRequest): { path: string; bytes: number } {
  const bundle = {
    made_at: request.now,
    sylk: request.version,
    node: process.versions.node,
    system: `${process.platform} ${release()} ${process.arch}`,
    memory_mb: Math.round(totalmem() / 1024 / 1024),
    files: sizes(request.stateDirectory),
    findings: request.findings,
    config: request.config.origins.filter((origin) => origin.from !== 'default'),
    warnings: request.config.warnings,
    log: readLog(request.logFile, { limit: 500 }),
  };
  const text = `${JSON.stringify(redactValue(bundle), null, 2)}\n`.replaceAll(homedir(), '~');
  const path = join(request.stateDirectory, 'run', `debug-${request.now.replace(/[:.]/g, '-')}.json`);
  state.write(path, text);
  return { path, bytes: Buffer.byteLength(text) };
}

function sizes(directory: string): Record<string, number> {
  return Object.fromEntries(
    state.list(directory).map(({ name }) => [name, state.entry(join(directory, name))?.size ?? 0]),
  );
}
