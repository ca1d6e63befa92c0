import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { redact } from '../../base/redact.ts';
import { belowRoot, toolCategories, toolDiscovery } from '../../stores/conventions/index.ts';
import { operation } from '../operation.ts';

const category = z.enum(toolCategories);

export const discoverTools = operation({
  name: 'discover_tools',
  summary:
    'The linter, formatter, type checker, test framework or language server that this project uses for a path, and the command that runs it. Call it before running or suggesting such a tool.',
  effect: 'read',
  input: z.object({
    category: category.optional().describe('omit for all'),
    path: z.string().default('.').describe('file or directory that the tool is for'),
    force_refresh: looseBoolean
      .default(false)
      .describe('read the files again instead of using the cached answer'),
    languages: looseList(z.string())
      .optional()
      .describe('the language; inferred from the files when omitted'),
  }),
  output: toolDiscovery,
  examples: [{}, { category: 'linter', path: '.' }],
  command: { positionals: ['category', 'path'] },
  render: (found) => {
    const lines = found.tools.map((tool) => {
      const version = tool.version ? ` ${tool.version}` : '';
      const installed = tool.is_installed ? '' : '  (not installed)';
      return `${tool.language}  ${tool.category.padEnd(14)}  ${tool.name}${version}  ${tool.run_command}  [${tool.confidence}, ${tool.source}]${installed}`;
    });
    for (const answer of found.answers.filter((entry) => entry.requires_user)) {
      const options = found.user_options.filter(
        ({ tool }) => tool.category === answer.category && tool.language === answer.language,
      );
      lines.push(
        `${answer.language}  ${answer.category}: none configured. Choose one with \`sylk tools choose\`:`,
      );
      for (const { tool, pros, cons, recommended } of options)
        lines.push(`  ${recommended ? '*' : '-'} ${tool.name}: + ${pros.join(', ')}; - ${cons.join(', ')}`);
    }
    return [...lines, ...found.problems].join('\n') || 'No tools found for this path.';
  },
  run: async ({ category: wanted, path, force_refresh, languages }, { app }) => {
    const { tools } = await app.conventions();
    return tools.discover({
      path: belowRoot(app.repository.root, path),
      category: wanted,
      languages,
      force: force_refresh,
    });
  },
});

export const chooseTool = operation({
  name: 'choose_tool',
  summary:
    'Save which tool the person wants for a category that the project does not configure. discover_tools uses it in every later session; `none` clears the choice.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    category,
    tool: z.string().min(1).max(80).describe('one of user_options, or `none`'),
    language: z.string().describe('language that the choice applies to'),
    path: z.string().default('.').describe('directory that the choice applies to'),
    run_command: z.string().max(500).optional().describe('a custom command; only a person may set one'),
  }),
  output: z.object({
    category,
    language: z.string(),
    tool: z.string(),
    project_path: z.string(),
    run_command: z.string(),
    removed: z.boolean(),
  }),
  examples: [{ category: 'linter', tool: 'eslint', language: 'typescript' }],
  command: { positionals: ['category', 'tool'] },
  render: (choice) =>
    choice.removed
      ? `Choice cleared.`
      : `${choice.language} ${choice.category}: using ${choice.tool} from now on.`,
  run: async ({ category: kind, tool, language, path, run_command }, { app, caller }) => {
    if (run_command && caller.kind !== 'person') {
      // Every later agent would run a stored command: only a person may store one.
      throw new SylkError('DENIED', 'Only a person may store a custom command.', {
        hint: 'Choose one of user_options by name, or ask the person to run `sylk tools choose` in a terminal.',
      });
    }
    const { tools } = await app.conventions();
    const project = belowRoot(app.repository.root, path);
    const base = { category: kind, language, tool, project_path: project, run_command: run_command ?? '' };
    if (tool === 'none')
      return { ...base, removed: await tools.unchoose({ path: project, language, category: kind }) };
    await tools.choose({
      path: project,
      language,
      category: kind,
      tool,
      runCommand: run_command && redact(run_command),
      by: caller.name,
    });
    return { ...base, removed: false };
  },
});
