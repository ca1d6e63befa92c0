import { z } from 'zod';
import { pagingInput } from '../../base/paging.ts';
import { takeWithinTokens } from '../../base/tokens.ts';
import { envelopeOperation } from '../envelope.ts';
import { looseId, optionalId, whole } from '../work-inputs.ts';

const areas = envelopeOperation('areas');

const getAreaCoverage = areas({
  name: 'get_area_coverage',
  summary:
    'How much of the tree some area knows: for every folder its files, how many are covered, how many of those by stale areas only.',
  effect: 'read',
  input: z.object({
    projectId: looseId.optional(),
    depth: whole.min(1).max(6).optional().default(2).describe('how deep folders are told apart'),
    max_tokens: pagingInput.max_tokens,
  }),
  data: z.object({
    folders: z.array(
      z.object({
        path: z.string(),
        files: z.number(),
        covered: z.number(),
        stale: z.number(),
        areas: z.array(z.string()),
      }),
    ),
    files: z.number(),
    covered: z.number(),
    stale: z.number(),
    total: z.number(),
  }),
  examples: [{}],
  text: (data) =>
    [
      `${data.covered} of ${data.files} files are known to an area`,
      ...data.folders
        .filter((folder) => folder.path !== '')
        .map((folder) => `${`${folder.covered}/${folder.files}`.padStart(9)}  ${folder.path}/`),
    ].join('\n'),
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const projectId = await engine.projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    const folders = await engine.coverage({ projectId, depth: input.depth });
    const root = folders[0] ?? { files: 0, covered: 0, stale: 0 };
    return {
      message: `${root.covered} of ${root.files} file(s) covered`,
      data: {
        folders: await takeWithinTokens(folders, input.max_tokens ?? 4000),
        files: root.files,
        covered: root.covered,
        stale: root.stale,
        total: folders.length,
      },
    };
  },
});

export const operations = [getAreaCoverage];
