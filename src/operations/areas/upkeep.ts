import { z } from 'zod';
import { pagingInput } from '../../base/paging.ts';
import { takeWithinTokens } from '../../base/tokens.ts';
import { envelopeOperation } from '../envelope.ts';
import { listWindow, looseId, optionalId, whole, words } from '../work-inputs.ts';
import { fitContext } from './budget.ts';
import { pathContextData, stalenessData } from './data.ts';
import { contextText } from './text.ts';

const areas = envelopeOperation('areas');

const getAreaContext = areas({
  name: 'get_area_context',
  summary: 'What is known about the given files: the short form of query_graph context.',
  effect: 'read',
  input: z.object({ paths: words, projectId: looseId.optional(), max_tokens: pagingInput.max_tokens }),
  data: pathContextData,
  examples: [{ paths: ['src/index.ts'] }],
  command: { positionals: ['paths'], rest: true },
  text: contextText,
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const projectId = await engine.projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    const found = await engine.context({ projectId, paths: input.paths, changelogLimit: 5 });
    return {
      message: `${found.unmatchedPaths.length} file(s) unknown`,
      data: await fitContext(found, input.max_tokens),
    };
  },
});

const listAreas = areas({
  name: 'list_areas',
  summary: 'All molecules with their atoms, and atoms without a molecule, by name.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), max_tokens: pagingInput.max_tokens }),
  data: z.object({
    areas: z.array(
      z.object({
        kind: z.enum(['molecule', 'atom']),
        id: z.string(),
        name: z.string(),
        moleculeId: z.string().nullable(),
        paths: z.array(z.string()),
        version: z.number(),
      }),
    ),
    total: z.number(),
  }),
  examples: [{}],
  text: (data) =>
    data.areas
      .map((one) => `${one.moleculeId ? '  ' : ''}${one.id.slice(0, 8)}  ${one.name}  ${one.paths.join(' ')}`)
      .join('\n') || 'No area is described yet; `sylk areas suggest` proposes some.',
  run: async (input, { app }) => {
    const store = await app.areas();
    const projectId = await (await app.workAreas()).projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    const all = { projectId, changelogLimit: 0, limit: 10_000, offset: 0 };
    const atoms = (await store.searchAtoms(all)).items;
    const brief = (atom: (typeof atoms)[number]) => ({
      kind: 'atom' as const,
      id: atom.id,
      name: atom.name,
      moleculeId: atom.moleculeId,
      paths: atom.paths,
      version: atom.version,
    });
    const listed = [
      ...(await store.searchMolecules(all)).items.flatMap((one) => [
        {
          kind: 'molecule' as const,
          id: one.id,
          name: one.name,
          moleculeId: null,
          paths: [],
          version: one.version,
        },
        ...atoms.filter((atom) => atom.moleculeId === one.id).map(brief),
      ]),
      ...atoms.filter((atom) => atom.moleculeId === null).map(brief),
    ];
    const shown = await takeWithinTokens(listed, input.max_tokens ?? 4000);
    return { message: `${listed.length} area(s)`, data: { areas: shown, total: listed.length } };
  },
});

const getStaleAreas = areas({
  name: 'get_stale_areas',
  summary:
    'Atoms whose files changed since their knowledge did: how many commits, and which. Most changed first.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), limit: listWindow.limit }),
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
  text: (data) =>
    data.atoms
      .map((atom) =>
        [
          `${atom.id.slice(0, 8)}  ${atom.name}: ${atom.staleness.commits} commit(s) since ${atom.staleness.since.slice(0, 10)}`,
          ...atom.staleness.latest.map((commit) => `    ${commit.sha.slice(0, 8)}  ${commit.subject}`),
        ].join('\n'),
      )
      .join('\n') || 'Everything that is known is as fresh as the code.',
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const projectId = await engine.projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    const atoms = await engine.stale({ projectId, limit: input.limit });
    return { message: `${atoms.length} stale area(s)`, data: { atoms, count: atoms.length } };
  },
});

const suggestAreas = areas({
  name: 'suggest_areas',
  summary:
    'Where knowledge is missing: proposes atoms (name, path patterns) from folders that no area covers and from what changes together.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), limit: whole.min(1).max(100).optional().default(10) }),
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
  text: (data) =>
    data.suggestions.map((one) => `${one.name}  ${one.paths.join(' ')}\n    ${one.reason}`).join('\n') ||
    'Every folder with more than a few files is covered.',
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const projectId = await engine.projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    const suggestions = await engine.suggest({ projectId, limit: input.limit, now: app.clock.now() });
    return {
      message: `${suggestions.length} suggestion(s)`,
      data: { suggestions, count: suggestions.length },
    };
  },
});

const areaKind = z.enum(['atom', 'molecule']).optional();

const readAreaText = areas({
  name: 'read_area_text',
  summary:
    'An atom or molecule as an editable Markdown text, with its version. write_area_text takes it back.',
  effect: 'read',
  input: z.object({
    id: looseId.describe('its id, at least four digits of it, or its exact name'),
    kind: areaKind,
  }),
  data: z.object({
    text: z.string(),
    version: z.number(),
    kind: z.enum(['atom', 'molecule']),
    id: z.string(),
  }),
  examples: [{ id: 'a1000000-0000-4000-8000-000000000005' }],
  command: { positionals: ['id', 'kind'] },
  text: (data) => data.text,
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const { kind, id } = await engine.findArea(input.id, input.kind);
    const data = { ...(await engine.areaText(kind, id)), kind, id };
    return { message: `version ${data.version}`, data };
  },
});

const writeAreaText = areas({
  name: 'write_area_text',
  summary: 'Take an edited text of read_area_text back. Refused with CONFLICT if the area changed meanwhile.',
  effect: 'write',
  input: z.object({ text: z.string(), version: whole }),
  data: z.object({
    kind: z.enum(['atom', 'molecule']),
    id: z.string(),
    version: z.number(),
    changed: z.boolean(),
  }),
  examples: [
    {
      actor: 'ada',
      version: 1,
      text: '---\nkind: atom\nid: a1000000-0000-4000-8000-000000000005\nname: Entry\nprojectId: a1000000-0000-4000-8000-000000000001\npaths:\n  - src/index.ts\nversion: 1\ncreatedAt: 2026-01-01T00:00:00.000Z\nupdatedAt: 2026-01-01T00:00:00.000Z\n---\n\nExports everything.\n',
    },
  ],
  run: async (input, { app }, by) => {
    const data = await (await app.workAreas()).putAreaText(by, input);
    return { message: data.changed ? `Saved as version ${data.version}.` : 'Nothing changed.', data };
  },
});

export const operations = [
  getAreaContext,
  listAreas,
  getStaleAreas,
  suggestAreas,
  readAreaText,
  writeAreaText,
];
