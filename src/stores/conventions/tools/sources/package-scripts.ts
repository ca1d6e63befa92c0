import { objectAt, readJson, textOf } from '../../dependencies/structured-text.ts';
import { lineOf, type NamedCommand } from './named-command.ts';

export type NodeManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** From `packageManager`, else from the lock file that lies there. */
export function nodeManager(
  packageJson: string | undefined,
  present: (file: string) => boolean,
): NodeManager | undefined {
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(textOf(readJson(packageJson).packageManager) ?? '')?.[1];
  if (declared) return declared as NodeManager;
  if (present('pnpm-lock.yaml')) return 'pnpm';
  if (present('yarn.lock')) return 'yarn';
  if (present('bun.lock') || present('bun.lockb')) return 'bun';
  if (present('package-lock.json') || present('npm-shrinkwrap.json')) return 'npm';
  return undefined;
}

export function runScript(manager: NodeManager, name: string): string {
  if (manager === 'npm') return name === 'test' ? 'npm test' : `npm run ${name}`;
  if (manager === 'yarn') return `yarn ${name}`;
  return `${manager} run ${name}`;
}

export const nodeRunner: Record<NodeManager, string> = {
  npm: 'npx ',
  pnpm: 'pnpm exec ',
  yarn: 'yarn ',
  bun: 'bunx ',
};

export function packageScripts(
  text: string,
  directory: string,
  file: string,
  manager: NodeManager,
): NamedCommand[] {
  return Object.entries(objectAt(readJson(text), 'scripts')).flatMap(([name, body]) =>
    typeof body === 'string'
      ? [
          {
            kind: 'script' as const,
            name,
            display: runScript(manager, name),
            body,
            needs: [],
            directory,
            file,
            line: lineOf(text, text.indexOf(`"${name}"`)),
          },
        ]
      : [],
  );
}

export function composerScripts(text: string, directory: string, file: string): NamedCommand[] {
  return Object.entries(objectAt(readJson(text), 'scripts')).flatMap(([name, body]) => {
    const lines = (Array.isArray(body) ? body : [body]).filter(
      (line) => typeof line === 'string',
    ) as string[];
    if (lines.length === 0 || /^(pre|post)-/.test(name)) return [];
    return [
      {
        kind: 'composer' as const,
        name,
        display: `composer ${name}`,
        body: lines.map((line) => line.replace(/^@php\s+/, '').replace(/^@/, 'composer ')).join('\n'),
        needs: [],
        directory,
        file,
        line: lineOf(text, text.indexOf(`"${name}"`)),
      },
    ];
  });
}
