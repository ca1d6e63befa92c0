import { SylkError } from '../../base/errors.ts';
import { productText } from './client-file.ts';

export const packagingTargets = [
  'team',
  'claude-plugin',
  'codex-plugin',
  'gemini-extension',
  'registry',
] as const;
export type PackagingTarget = (typeof packagingTargets)[number];

const summary = 'Memory for coding agents: history, code, decisions, tasks, references and skills, offline.';
const server = { command: 'sylk', args: ['mcp'] };

/** The files that package Sylk for clients, by path. They run `sylk`, which must be on PATH. */
export function packagingFiles(
  target: PackagingTarget,
  { version, namespace }: { version: string; namespace?: string },
): Record<string, string> {
  const manifest = { name: 'sylk', version, description: summary, license: 'MIT' };
  switch (target) {
    case 'team':
      return { '.mcp.json': json({ mcpServers: { sylk: { type: 'stdio', ...server } } }) };
    case 'claude-plugin':
      return {
        '.claude-plugin/plugin.json': json(manifest),
        '.mcp.json': json({ mcpServers: { sylk: server } }),
        'hooks/hooks.json': json({ hooks: { SessionStart: [hook('start')], SessionEnd: [hook('end')] } }),
        'skills/sylk/SKILL.md': skill(),
        'README.md': readme(),
      };
    case 'codex-plugin':
      return {
        '.codex-plugin/plugin.json': json({ ...manifest, skills: './skills/', mcpServers: './.mcp.json' }),
        '.mcp.json': json({ mcpServers: { sylk: server } }),
        'skills/sylk/SKILL.md': skill(),
      };
    case 'gemini-extension':
      return {
        'gemini-extension.json': json({
          name: 'sylk',
          version,
          description: summary,
          mcpServers: { sylk: server },
          contextFileName: 'GEMINI.md',
        }),
        'GEMINI.md': skillBody(),
      };
    case 'registry':
      return { 'server.json': json(registryEntry(version, namespace)) };
  }
}

function registryEntry(version: string, namespace: string | undefined) {
  if (!namespace || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(namespace)) {
    throw new SylkError('VALIDATION_ERROR', 'Missing --namespace for the registry entry.', {
      hint: 'Give a reversed domain name. Example: --namespace org.example',
    });
  }
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${namespace}/sylk`,
    description: summary,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: 'sylk',
        version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
      },
    ],
  };
}

const hook = (event: string) => ({
  hooks: [{ type: 'command', command: `sylk hook claude-code ${event}`, timeout: 5 }],
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const skillBody = (): string => productText('skill.md');
const readme = (): string => `# Sylk\n\n${summary}\n\n${productText('plugin-readme.md')}`;

const skill = (): string => `---
name: sylk
description: Use the memory of this repository. Read it before exploring code, before changing a file and after a decision.
---

${skillBody()}`;
