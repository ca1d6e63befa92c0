import { resolve } from 'node:path';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import { openCode } from '../open-index.ts';
import { operation } from '../operation.ts';

const largest = 512 * 1024 * 1024;

const importScip = operation({
  name: 'import_scip',
  summary:
    'Take links between symbols from a SCIP index, the file of an indexer such as scip-python or rust-analyzer. Every range is checked against the text; links say that they are from it.',
  effect: 'setup',
  input: z.object({ file: z.string().min(1).max(4096).describe('path of the index, usually index.scip') }),
  output: z.object({
    files: z.number(),
    links: z.number(),
    refused: z.array(z.object({ path: z.string(), reason: z.string() })),
    refused_total: z.number(),
  }),
  examples: [{ file: 'index.scip' }],
  command: { positionals: ['file'] },
  render: ({ files, links, refused, refused_total }) =>
    [
      `${links} links of ${files} files are from the SCIP index now.`,
      ...refused.map(({ path, reason }) => `  refused ${path}: ${reason}`),
      ...(refused_total > refused.length ? [`  and ${refused_total - refused.length} more`] : []),
    ].join('\n'),
  isFailure: ({ files }) => files === 0,
  run: async ({ file }, context) => {
    const { code } = await openCode(context);
    const path = resolve(context.app.repository.root, file);
    if (!person.exists(path)) throw new SylkError('NOT_FOUND', `No such file: ${path}`);
    const { refused, ...report } = code.importScip(person.read(path, { limit: largest }));
    return { ...report, refused: refused.slice(0, 20), refused_total: refused.length };
  },
});

export const operations = [importScip];
