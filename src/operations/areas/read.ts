import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { pageFrom, pagingInput } from '../../base/paging.ts';
import { takeWithinTokens } from '../../base/tokens.ts';
import { atomRecord, changelogRecord, moleculeRecord } from '../../stores/areas/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { flag, listWindow, looseId, projectOf, uuid, whole, words } from '../work-inputs.ts';
import { areaType, pathContextData, stalenessData } from './data.ts';
import { contextText, fitContext } from './text.ts';

const project = {
  project_id: looseId.optional().describe('optional when there is one project'),
};
const changelog = {
  include_changelog: flag(true),
  changelog_limit: whole.min(0).max(100).optional().default(5),
};
const paging = {
  count: z.number().optional(),
  total: z.number().optional(),
  limit: z.number().optional(),
  offset: z.number().optional(),
  next_offset: z.number().optional(),
  next_cursor: z.string().optional(),
};

const getAreaContext = envelopeOperation({
  name: 'get_area_context',
  summary:
    'What the team knows about the files you are about to edit: the knowledge of their areas, how fresh it is, and which files no area covers.',
  effect: 'read',
  input: z.object({
    paths: words.describe('file paths, as a list or comma-separated'),
    ...project,
    ...changelog,
    max_tokens: pagingInput.max_tokens,
  }),
  data: pathContextData,
  examples: [{ paths: ['src/index.ts'] }],
  command: { positionals: ['paths'], rest: true },
  text: contextText,
  run: async (input, { app }) => {
    const paths = input.paths.filter((path) => path.trim() !== '');
    if (paths.length === 0)
      throw new SylkError('VALIDATION_ERROR', 'Missing paths.', {
        hint: 'Name the files you work on, for example: sylk areas context src/login.ts',
      });
    const projectId = await projectOf(app, input.projectId);
    const changelogLimit = input.includeChangelog ? input.changelogLimit : 0;
    const context = await (await app.workAreas()).context({ projectId, paths, changelogLimit });
    const data = await fitContext(context, input.maxTokens);
    const atoms = data.molecules.reduce((sum, one) => sum + one.atoms.length, data.orphanAtoms.length);
    return { message: `${atoms} area(s) found; ${data.unmatchedPaths.length} file(s) in no area`, data };
  },
});

const getArea = envelopeOperation({
  name: 'get_area',
  summary:
    'One atom or molecule: its knowledge, its atoms, its changelog, and the whole as Markdown that save_area accepts.',
  effect: 'read',
  input: z.object({
    id: looseId.describe('its id, at least its first four digits, or its exact name'),
    type: areaType.optional(),
    ...changelog,
  }),
  data: z.object({
    kind: areaType,
    id: z.string(),
    atom: atomRecord.optional(),
    molecule: moleculeRecord.optional(),
    atoms: z.array(atomRecord).optional(),
    changelog: z.array(changelogRecord).optional(),
    text: z.string(),
    version: z.number(),
  }),
  examples: [{ id: 'a1000000-0000-4000-8000-000000000005' }],
  command: { positionals: ['id', 'type'] },
  text: ({ text }) => text,
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const store = await app.areas();
    const { kind, id } = await engine.findArea(input.id, input.type);
    const window = { changelogLimit: input.includeChangelog ? input.changelogLimit : 0 };
    const text = await engine.areaText(kind, id);
    if (kind === 'atom') {
      const { changelog, ...atom } = await store.getAtom(id, window);
      return { message: atom.name, data: { kind, id, atom, changelog, ...text } };
    }
    const { molecule, atoms } = await store.getMolecule(id, window);
    const { changelog, ...record } = molecule;
    return { message: record.name, data: { kind, id, molecule: record, atoms, changelog, ...text } };
  },
});

const listAreas = envelopeOperation({
  name: 'list_areas',
  summary:
    'All molecules with their atoms, by name. With type or query: the matching molecules or atoms with their knowledge.',
  effect: 'read',
  input: z.object({
    ...project,
    type: areaType.optional(),
    query: z.string().max(1000).optional().describe('words in the name or knowledge'),
    molecule_id: uuid.optional().describe('only atoms of this molecule'),
    orphans_only: flag(false).describe('only atoms without a molecule'),
    ...changelog,
    ...listWindow,
    ...pagingInput,
  }),
  data: z.object({
    areas: z
      .array(
        z.object({
          kind: areaType,
          id: z.string(),
          name: z.string(),
          moleculeId: z.string().nullable(),
          paths: z.array(z.string()),
          version: z.number(),
        }),
      )
      .optional(),
    items: z.array(z.union([atomRecord, moleculeRecord])).optional(),
    ...paging,
  }),
  examples: [{}, { type: 'atom' }],
  text: ({ areas: tree = [], items = [] }) =>
    [
      ...tree.map(
        (one) => `${one.moleculeId ? '  ' : ''}${one.id.slice(0, 8)}  ${one.name}  ${one.paths.join(' ')}`,
      ),
      ...items.map((one) => `${one.id}  ${one.name} (version ${one.version})\n${one.knowledge}\n`),
    ].join('\n') || 'No areas yet. Run `sylk areas suggest` for proposals.',
  run: async (input, { app }) => {
    const store = await app.areas();
    const projectId = await projectOf(app, input.projectId);
    if (!input.type && input.query === undefined) {
      const tree = await (await app.workAreas()).areaTree(projectId);
      return {
        message: `${tree.length} area(s)`,
        data: { areas: await takeWithinTokens(tree, input.maxTokens ?? 4000), total: tree.length },
      };
    }
    const search = { ...input, projectId, changelogLimit: input.includeChangelog ? input.changelogLimit : 0 };
    const { items, ...rest } = await pageFrom<z.output<typeof atomRecord> | z.output<typeof moleculeRecord>>(
      input,
      (offset) =>
        input.type === 'molecule'
          ? store.searchMolecules({ ...search, offset })
          : store.searchAtoms({ ...search, offset }),
    );
    return {
      message: `${rest.total} ${input.type ?? 'atom'}(s)`,
      data: { items, count: items.length, limit: input.limit, ...rest },
    };
  },
});

const listAreaChanges = envelopeOperation({
  name: 'list_area_changes',
  summary: 'The changelog of an atom or molecule: what changed and why, newest first.',
  effect: 'read',
  input: z.object({ type: areaType, id: uuid, ...listWindow, ...pagingInput }),
  data: z.object({ items: z.array(changelogRecord), ...paging }),
  examples: [{ type: 'atom', id: 'a1000000-0000-4000-8000-000000000005' }],
  command: { positionals: ['type', 'id'] },
  text: ({ items }) =>
    items.map(({ createdAt, summary }) => `${createdAt}  ${summary}`).join('\n') || 'no entries',
  run: async ({ type: parentType, id: parentId, ...input }, { app }) => {
    const store = await app.areas();
    const question = { parentType, parentId, ...input };
    const { items, ...rest } = await pageFrom(question, (offset) =>
      store.searchChangelog({ ...question, offset }),
    );
    return {
      message: `${rest.total} entr${rest.total === 1 ? 'y' : 'ies'}`,
      data: { items, count: items.length, limit: input.limit, ...rest },
    };
  },
});

const getStaleAreas = envelopeOperation({
  name: 'get_stale_areas',
  summary:
    'Atoms whose files changed after their knowledge was last edited, with the number and list of commits. Most changed first.',
  effect: 'read',
  input: z.object({ ...project, limit: listWindow.limit }),
  data: z.object({
    atoms: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        paths: z.array(z.string()),
        version: z.number(),
        staleness: stalenessData,
      }),
    ),
    count: z.number(),
  }),
  examples: [{}],
  text: ({ atoms }) =>
    atoms
      .flatMap(({ id, name, staleness: { commits, since, latest } }) => [
        `${id.slice(0, 8)}  ${name}: ${commits} commit(s) since ${since.slice(0, 10)}`,
        ...latest.map((commit) => `    ${commit.sha.slice(0, 8)}  ${commit.subject}`),
      ])
      .join('\n') || 'All area knowledge is up to date.',
  run: async ({ projectId, limit }, { app }) => {
    const request = { projectId: await projectOf(app, projectId), limit };
    const atoms = await (await app.workAreas()).stale(request);
    return { message: `${atoms.length} stale area(s)`, data: { atoms, count: atoms.length } };
  },
});

const suggestAreas = envelopeOperation({
  name: 'suggest_areas',
  summary:
    'Suggest areas: atoms (name, path patterns) for folders that no area covers, based on folders and co-change.',
  effect: 'read',
  input: z.object({ ...project, limit: whole.min(1).max(100).optional().default(10) }),
  data: z.object({
    suggestions: z.array(
      z.object({
        name: z.string(),
        paths: z.array(z.string()),
        files: z.number(),
        commits: z.number(),
        changesWith: z.array(z.object({ folder: z.string(), commits: z.number() })),
        relatedAtoms: z.array(z.object({ atomId: z.string(), name: z.string(), commits: z.number() })),
        reason: z.string(),
        score: z.number(),
      }),
    ),
    count: z.number(),
  }),
  examples: [{}],
  text: ({ suggestions }) =>
    suggestions.map(({ name, paths, reason }) => `${name}  ${paths.join(' ')}\n    ${reason}`).join('\n') ||
    'Every folder with more than a few files is covered.',
  run: async ({ projectId, limit }, { app }) => {
    const areas = await app.workAreas();
    // Where nobody planned anything yet, no area covers anything.
    const isPlanned = projectId !== undefined || (await areas.hasProject());
    const project = isPlanned ? await projectOf(app, projectId) : undefined;
    const suggestions = await areas.suggest({ projectId: project, limit, now: app.clock.now() });
    return {
      message: `${suggestions.length} suggestion(s)`,
      data: { suggestions, count: suggestions.length },
    };
  },
});

const coverage = { files: z.number(), covered: z.number(), stale: z.number() };

const getAreaCoverage = envelopeOperation({
  name: 'get_area_coverage',
  summary: 'Area coverage by folder: files, files covered by an area, and files covered by stale areas only.',
  effect: 'read',
  input: z.object({
    ...project,
    depth: whole.min(1).max(6).optional().default(2).describe('how many folder levels to list'),
    max_tokens: pagingInput.max_tokens,
  }),
  data: z.object({
    folders: z.array(z.object({ path: z.string(), ...coverage, areas: z.array(z.string()) })),
    ...coverage,
    total: z.number(),
  }),
  examples: [{}],
  text: ({ covered, files, folders }) =>
    [
      `${covered} of ${files} files belong to an area`,
      ...folders
        .filter(({ path }) => path !== '')
        .map((folder) => `${`${folder.covered}/${folder.files}`.padStart(9)}  ${folder.path}/`),
    ].join('\n'),
  run: async ({ projectId, depth, maxTokens }, { app }) => {
    const request = { projectId: await projectOf(app, projectId), depth };
    const folders = await (await app.workAreas()).coverage(request);
    const { files, covered, stale } = folders[0] ?? { files: 0, covered: 0, stale: 0 };
    const data = { folders: await takeWithinTokens(folders, maxTokens ?? 4000), files, covered, stale };
    return { message: `${covered} of ${files} file(s) covered`, data: { ...data, total: folders.length } };
  },
});

export const operations = [
  getAreaContext,
  getArea,
  listAreas,
  listAreaChanges,
  getStaleAreas,
  suggestAreas,
  getAreaCoverage,
];
