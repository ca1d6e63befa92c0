import { join } from 'node:path';
import { z } from 'zod';
import type { App } from '../../app.ts';
import { SylkError } from '../../base/errors.ts';
import { person, tree } from '../../base/files/index.ts';
import {
  type FoundRole,
  fromClaudeCode,
  roleHead,
  roleNames,
  toClaudeCode,
  writeRole,
} from '../../stores/roles/index.ts';
import defaultTools from '../default-tools.json' with { type: 'json' };
import { operation } from '../operation.ts';

const shown = roleHead.extend({
  prompt: z.string(),
  from: z.enum(['product', 'person']).describe('person: a file of yours changes it'),
  repository: z
    .enum(['none', 'waits', 'narrows'])
    .describe('narrows: a trusted file of this repository takes something away; waits: it is not trusted'),
  problems: z.array(z.string()),
  resolved_model: z.string().describe('the model that it has now; empty for none'),
});
type Shown = z.output<typeof shown>;

export const listRoles = operation({
  name: 'list_roles',
  summary: 'The roles of the team: what each does, its model, tools, hooks, thresholds and whom it asks.',
  effect: 'read',
  input: z.object({ name: z.string().optional().describe('one role, whole') }),
  output: z.object({ roles: z.array(shown) }),
  examples: [{}, { name: 'engineer' }],
  command: { positionals: ['name'] },
  render: ({ roles }) => (roles.length === 1 && roles[0] ? describeRole(roles[0]) : table(roles)),
  run: async ({ name }, { app }) => {
    const roles = await app.roles();
    const found = name === undefined ? roles.list() : [requireRole(roles.find(name), name)];
    return { roles: await Promise.all(found.map((role) => showRole(app, role))) };
  },
});

export const exportRoles = operation({
  name: 'export_roles',
  summary: 'Writes roles as subagents of another client, such as .claude/agents/sylk-engineer.md.',
  effect: 'setup',
  input: z.object({
    format: z.enum(['claude-code']).default('claude-code'),
    name: z.string().optional().describe('one role; default: all'),
    force: z.boolean().default(false).describe('write over files that are there'),
  }),
  output: z.object({ files: z.array(z.string()) }),
  examples: [{ name: 'engineer', force: true }],
  command: { positionals: ['format', 'name'] },
  render: ({ files }) => files.join('\n'),
  run: async ({ name, force }, { app }) => {
    const roles = await app.roles();
    const found = name === undefined ? roles.list() : [requireRole(roles.find(name), name)];
    const { root } = app.repository;
    const files = found.map((role) => ({
      path: `${agentsFolder}/sylk-${role.name}.md`,
      text: toClaudeCode(plainRole(role), served),
    }));
    const there = files.filter(({ path, text }) => ![undefined, text].includes(tree.readText(root, path)));
    if (there.length > 0 && !force)
      throw new SylkError('CONFLICT', `${there.map(({ path }) => path).join(', ')} would be written over.`, {
        hint: 'Bring them back with `sylk roles import PATH` first, or use --force.',
      });
    tree.makeDirectory(root, agentsFolder);
    for (const { path, text } of files) tree.write(root, path, text);
    return { files: files.map(({ path }) => path) };
  },
});
const agentsFolder = '.claude/agents';
/** Tools that our server shows by name. */
const served = Object.keys(defaultTools);

export const importRole = operation({
  name: 'import_role',
  summary: 'Brings a role back that was exported and changed in another client, as a file of yours.',
  effect: 'setup',
  input: z.object({
    path: z.string().min(1).describe('such as .claude/agents/sylk-engineer.md'),
    format: z.enum(['claude-code']).default('claude-code'),
  }),
  output: z.object({ name: z.string(), file: z.string() }),
  examples: [{ path: '.claude/agents/sylk-engineer.md' }],
  command: { positionals: ['path'] },
  render: ({ name, file }) => `${name}: ${file}`,
  run: async ({ path }, { app }) => {
    const text = tree.readText(app.repository.root, path);
    if (text === undefined)
      throw new SylkError('NOT_FOUND', `There is no file ${JSON.stringify(path)} in this repository.`, {
        hint: 'sylk roles export claude-code',
      });
    const role = fromClaudeCode(text, served);
    requireRole((await app.roles()).find(role.name), role.name);
    const folder = join(app.user.config, 'roles');
    const file = join(folder, `${role.name}.md`);
    person.makeDirectory(folder);
    person.write(file, writeRole(role));
    return { name: role.name, file };
  },
});

const plainRole = ({ from: _from, repository: _repository, problems: _problems, ...role }: FoundRole) => role;

function requireRole(role: FoundRole | undefined, name: string): FoundRole {
  if (role) return role;
  throw new SylkError('NOT_FOUND', `There is no role ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: `Roles: ${roleNames.join(', ')}.`,
  });
}

async function showRole(app: App, role: FoundRole): Promise<Shown> {
  const { choose } = await app.models();
  return { ...role, resolved_model: choose(role.name)?.id ?? '' };
}

const words: Record<Shown['speaks'], string> = {
  never: 'not to you',
  when_asked: 'when asked',
  at_work: 'at work',
  first: 'first of all',
};

const table = (roles: Shown[]): string =>
  [
    ...roles.map(
      ({ name, does, from, repository, resolved_model }) =>
        `${name.padEnd(13)} ${does}${resolved_model ? ` · ${resolved_model}` : ''}${from === 'person' ? ' · changed by you' : ''}${repository === 'none' ? '' : repository === 'waits' ? ' · a file of this repository waits for trust' : ' · narrowed by this repository'}`,
    ),
    ...roles.flatMap(({ problems }) => problems.map((problem) => `⚠ ${problem}`)),
  ].join('\n');

function describeRole(role: Shown): string {
  const { tools, memory } = role;
  const contextual = Object.entries(tools.contextual).map(
    ([name, { words: said, phases }]) => `${name} (${[...said, ...phases].join(', ')})`,
  );
  const thresholds = [
    ...(memory.checkpoints.length > 0 ? [`a summary at ${memory.checkpoints.join(', ')} %`] : []),
    ...(memory.compact === undefined ? [] : [`shortened at ${memory.compact} %`]),
    ...(memory.hand_over === undefined ? [] : [`handed over at ${memory.hand_over} %`]),
  ];
  return [
    `${role.name}: ${role.does}`,
    `Speaks to you: ${words[role.speaks]}. Asks: ${role.asks.join(', ') || 'nobody'}.`,
    `Model: ${role.model}${role.resolved_model ? `, now ${role.resolved_model}` : ''}. May: ${role.may.join(', ')}.`,
    `Core tools: ${tools.core.join(', ')}`,
    ...(contextual.length > 0 ? [`Contextual: ${contextual.join('; ')}`] : []),
    `Specialised: ${tools.specialised === 'all' ? 'every other operation' : tools.specialised.join(', ') || 'none'}`,
    `Hooks: ${role.hooks.join(', ') || 'none'}`,
    `Memory: ${thresholds.join(', ') || 'no thresholds'}${memory.document ? `, kept as ${memory.document}` : ''}`,
    `Techniques: ${role.techniques.join(', ') || 'none'}`,
    ...role.problems.map((problem) => `⚠ ${problem}`),
    '',
    role.prompt,
  ].join('\n');
}
