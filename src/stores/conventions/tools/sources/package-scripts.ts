import { objectAt, readJson, textOf } from '../../dependencies/structured-text.ts';
import { type CommandFile, type NamedCommand, namedCommand } from './named-command.ts';

const nodeManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type NodeManager = (typeof nodeManagers)[number];

const lockFiles: Array<[NodeManager, string[]]> = [
  ['pnpm', ['pnpm-lock.yaml']],
  ['yarn', ['yarn.lock']],
  ['bun', ['bun.lock', 'bun.lockb']],
];

/** From `packageManager` of the nearest package.json, otherwise from the lock file. */
export function nodeManager(
  packageJsons: Array<string | undefined>,
  isPresent: (file: string) => boolean,
): NodeManager {
  for (const text of packageJsons) {
    const named = textOf(readJson(text).packageManager) ?? '';
    const manager = nodeManagers.find((one) => named.startsWith(`${one}@`));
    if (manager) return manager;
  }
  return lockFiles.find(([, names]) => names.some(isPresent))?.[0] ?? 'npm';
}

function runScript(manager: NodeManager, name: string): string {
  if (manager === 'npm') return name === 'test' ? 'npm test' : `npm run ${name}`;
  return manager === 'yarn' ? `yarn ${name}` : `${manager} run ${name}`;
}

export function packageScripts(file: CommandFile, manager: NodeManager): NamedCommand[] {
  return Object.entries(objectAt(readJson(file.text), 'scripts')).flatMap(([name, body]) => {
    if (typeof body !== 'string') return [];
    const display = runScript(manager, name);
    return [namedCommand(file, file.text.indexOf(`"${name}"`), { kind: 'script', name, display, body })];
  });
}

export function composerScripts(file: CommandFile): NamedCommand[] {
  return Object.entries(objectAt(readJson(file.text), 'scripts')).flatMap(([name, script]) => {
    const lines = [script].flat().filter((line) => typeof line === 'string');
    if (lines.length === 0 || /^(pre|post)-/.test(name)) return [];
    const body = lines.map((line) => line.replace(/^@php\s+/, '').replace(/^@/, 'composer ')).join('\n');
    const at = file.text.indexOf(`"${name}"`);
    return [namedCommand(file, at, { kind: 'composer', name, display: `composer ${name}`, body })];
  });
}
