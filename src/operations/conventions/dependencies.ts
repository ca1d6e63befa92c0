import { z } from 'zod';
import { limitInput } from '../../base/paging.ts';
import { belowRoot, dependencyReply } from '../../stores/conventions/index.ts';
import { otherVersions } from '../../stores/references/index.ts';
import { operation } from '../operation.ts';

export const checkDependency = operation({
  name: 'check_dependency',
  summary:
    'Whether the project already has a package for something you need ("date formatting", "HTTP client"): installed packages with version and usage in this code, otherwise suggestions. Use BEFORE adding a package.',
  effect: 'read',
  input: z.object({
    need: z.string().min(2).max(300).describe("a capability, such as 'form validation', or a package name"),
    path: z.string().default('.').describe('directory whose dependencies are checked'),
    limit: limitInput(5, 20),
  }),
  output: dependencyReply.extend({
    warnings: z.array(z.string()).describe('reference topics about a version other than the installed one'),
  }),
  examples: [{ need: 'schema validation' }, { need: 'date formatting' }],
  command: { positionals: ['need'], rest: true },
  render: (reply) => {
    const lines = reply.packages.map((found) => {
      const uses = Object.values(found.usage_examples).map(
        (code) => `    ${code.replaceAll('\n', '\n    ')}`,
      );
      return [
        `${found.name} ${found.version} (${found.type}): ${found.capabilities.join(', ')}`,
        ...uses,
      ].join('\n');
    });
    if (reply.builtin.length > 0)
      lines.push(`built in: ${reply.builtin.map((entry) => entry.name).join(', ')}`);
    if (!reply.already_available) lines.unshift(`No installed package provides ${reply.need}.`);
    if (reply.suggestions.length > 0)
      lines.push(`suggested: ${reply.suggestions.map((entry) => entry.name).join(', ')}`);
    return [...lines, ...reply.warnings.map((warning) => `warning: ${warning}`)].join('\n');
  },
  run: async ({ need, path, limit }, { app }) => {
    const { dependencies } = await app.conventions();
    const reply = await dependencies.check({ need, path: belowRoot(app.repository.root, path), limit });
    const topics = reply.packages.length > 0 ? await (await app.references()).list() : [];
    return { ...reply, warnings: otherVersions(topics, reply.packages) };
  },
});
