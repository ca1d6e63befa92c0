import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { limitInput } from '../../base/paging.ts';
import { belowRoot, componentReply, componentTypes } from '../../stores/conventions/index.ts';
import { operation } from '../operation.ts';

const typeWords = new Map<unknown, string>([
  ['component', 'ui'],
  ['components', 'ui'],
  ['all', 'any'],
]);
const type = z.preprocess((given) => typeWords.get(given) ?? given, z.enum([...componentTypes, 'any']));

export const findComponent = operation({
  name: 'find_component',
  summary:
    'Existing components, hooks, utility functions and repeated patterns for a need, with signature, props and a usage example. Use BEFORE writing a new one.',
  effect: 'read',
  input: z.object({
    need: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe("e.g. 'modal dialog', 'date formatting', 'auth hook'"),
    query: z.string().min(1).max(300).optional().describe('same as need'),
    type: type.default('any').describe('ui, hook, utility, pattern or any'),
    path: z.string().default('.').describe('only under this directory'),
    limit: limitInput(5, 20),
  }),
  output: componentReply,
  examples: [
    { need: 'login', type: 'any' },
    { need: 'drag and drop board', type: 'ui' },
  ],
  command: { positionals: ['need'], rest: true },
  render: ({ matches, closest = [], suggestion, problems }) => {
    const blocks = [...matches, ...closest].map((match) => {
      const props = match.props?.map(
        (prop) =>
          `${prop.name}${prop.required ? '' : '?'}: ${prop.type}${prop.default ? ` = ${prop.default}` : ''}`,
      );
      return [
        `${match.name} (${match.type})  ${match.path}:${match.line}`,
        match.description,
        match.signature,
        props ? `props: ${props.join('; ')}` : '',
        `${match.usage_example}  (${match.usage_source})`,
      ]
        .filter(Boolean)
        .join('\n  ');
    });
    return [suggestion ?? '', ...blocks, ...problems].filter(Boolean).join('\n\n');
  },
  run: async ({ need, query, type: kind, path, limit }, { app }) => {
    const wanted = need ?? query;
    if (!wanted)
      throw new SylkError('VALIDATION_ERROR', 'Missing NEED.', {
        hint: 'Usage: sylk components NEED. Example: sylk components "modal dialog"',
      });
    return (await app.conventions()).components.find({
      need: wanted,
      type: kind,
      path: belowRoot(app.repository.root, path),
      limit,
    });
  },
});
