import { z } from 'zod';
import { messageOf, SylkError } from '../base/errors.ts';
import { looseBoolean } from '../base/loose-input.ts';
import type { ClientState, Installed } from '../engines/clients/index.ts';
import { clientHookOperations } from './client-hooks.ts';
import { operation } from './operation.ts';

const scope = z
  .enum(['user', 'project'])
  .default('user')
  .describe('your own settings, or a file shared with the team');
const name = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, 'letters, digits, - and _ only')
  .default('sylk')
  .describe('name of the entry');

const listClients = operation({
  name: 'list_mcp_clients',
  summary: 'Coding clients on this machine, and whether Sylk is installed in each.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    clients: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        detected: z.boolean(),
        installed: z.array(z.object({ scope: z.enum(['user', 'project']), path: z.string() })),
        problem: z.string().optional(),
      }),
    ),
  }),
  examples: [{}],
  render: ({ clients }) => clients.map(clientLine).join('\n'),
  run: async (_input, { app }) => ({ clients: (await app.clients()).list() }),
});

const installClient = operation({
  name: 'install_mcp_client',
  summary:
    'Add Sylk to a coding client: saves the original, tests the server first, and changes nothing else in the file. With remove, restores the original file, or removes only the Sylk entry if the file changed since.',
  effect: 'setup',
  idempotent: true,
  destructive: true,
  input: z.object({
    client: z.string().describe('claude-code, codex, cursor, …, or `all` for every detected client'),
    scope,
    name,
    print: looseBoolean.default(false).describe('only show what would be written and where'),
    verify: looseBoolean.default(true).describe('start the server and test the handshake first'),
    remove: looseBoolean.default(false),
  }),
  output: z.object({
    installed: z.array(
      z.object({
        client: z.string(),
        scope: z.enum(['user', 'project']),
        path: z.string(),
        changed: z.enum(['added', 'updated', 'unchanged', 'printed']),
        backup: z.string().optional(),
        server: z.string().optional(),
        tools: z.number().optional(),
        snippet: z.string().optional(),
        notes: z.array(z.string()),
      }),
    ),
    problems: z.array(z.object({ client: z.string(), message: z.string() })),
    path: z.string().optional().describe('with remove'),
    result: z.enum(['restored', 'entry removed', 'not installed']).optional(),
  }),
  examples: [
    { client: 'cursor', print: true },
    { client: 'codex', scope: 'project', print: true },
  ],
  command: { positionals: ['client'] },
  render: ({ installed, problems, path, result }) =>
    [
      ...(result ? [`${path}: ${result}`] : []),
      ...installed.map((one) => (one.snippet ? `${one.path}:\n${one.snippet}` : installedLine(one))),
      ...problems.map(({ client, message }) => `✗ ${client}: ${message}`),
    ].join('\n'),
  run: async ({ client, print, verify, remove, ...rest }, { app }) => {
    const clients = await app.clients();
    if (remove) return { installed: [], problems: [], ...clients.uninstall({ client, ...rest }) };
    const wanted = client === 'all' ? detectedIds(clients.list()) : [client];
    const installed = [];
    const problems = [];
    for (const id of wanted) {
      try {
        installed.push(
          print
            ? printed(clients.preview({ client: id, ...rest }), rest.scope)
            : flat(await clients.install({ client: id, ...rest }, verify)),
        );
      } catch (error) {
        if (wanted.length === 1) throw error;
        problems.push({ client: id, message: messageOf(error) });
      }
    }
    return { installed, problems };
  },
});

export const operations = [listClients, installClient, ...clientHookOperations];

const clientLine = (client: ClientState): string =>
  `${client.id.padEnd(16)} ${client.title.padEnd(20)} ${clientState(client)}`;

function clientState({ id, detected, installed, problem }: ClientState): string {
  if (problem) return `✗ ${problem}`;
  if (installed.length > 0) return `installed (${installed.map((entry) => entry.scope).join(', ')})`;
  return detected ? `detected: run sylk mcp install ${id}` : 'not detected';
}

const installedLine = (one: {
  client: string;
  path: string;
  changed: string;
  server?: string | undefined;
  tools?: number | undefined;
  backup?: string | undefined;
  notes: string[];
}): string =>
  [
    `✓ ${one.client}: ${one.changed} in ${one.path}${one.server ? ` (${one.server} started, ${one.tools} tools)` : ''}`,
    ...(one.backup ? [`  original saved as ${one.backup}`] : []),
    ...one.notes.map((note) => `  ${note}`),
  ].join('\n');

function detectedIds(states: ClientState[]): string[] {
  const found = states.filter((state) => state.detected).map((state) => state.id);
  if (found.length > 0) return found;
  throw new SylkError('NOT_FOUND', 'No coding client was detected on this machine.', {
    hint: `Name one of: ${states.map((state) => state.id).join(', ')}. Example: sylk mcp install claude-code`,
  });
}

function flat({ handshake, ...rest }: Installed) {
  if (!handshake?.ok) return rest;
  return { ...rest, server: `${handshake.server} ${handshake.version}`, tools: handshake.tools };
}

const printed = (
  preview: { client: { id: string; afterwards: string }; target: { path: string }; snippet: string },
  inScope: 'user' | 'project',
) => ({
  client: preview.client.id,
  scope: inScope,
  path: preview.target.path,
  changed: 'printed' as const,
  snippet: preview.snippet,
  notes: [preview.client.afterwards],
});
