import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseList } from '../../base/loose-input.ts';
import { offsetOf, page, pagingInput } from '../../base/paging.ts';
import { atomRecord, changelogRecord, moleculeRecord } from '../../stores/areas/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { flag, listWindow, looseId, optionalId, required, uuid, whole, words } from '../work-inputs.ts';
import { fitContext } from './budget.ts';
import { pathContextData } from './data.ts';
import { contextText } from './text.ts';

const areas = envelopeOperation('areas');

const areaKind = z.enum(['atom', 'molecule']);

const queryGraph = areas({
  name: 'query_graph',
  summary:
    'What the team knows about areas of the code. context: knowledge for the files you are about to touch, how fresh it is, and which files no area covers. get, search: single molecules and atoms.',
  effect: 'read',
  input: z.object({
    operation: z.enum(['get', 'search', 'context']),
    entityType: areaKind.optional().describe('for get and search'),
    id: uuid.optional().describe('for get'),
    projectId: looseId.optional().describe('may be left out when there is one project'),
    paths: words.optional().describe('for context: file paths, as a list or with commas'),
    query: z.string().max(1000).optional().describe('for search: words in name or knowledge'),
    moleculeId: uuid.optional().describe('for search: atoms of this molecule'),
    orphansOnly: flag(false).describe('for search: atoms without a molecule'),
    includeChangelog: flag(true),
    changelogLimit: whole.min(0).max(100).optional().default(5),
    ...listWindow,
    ...pagingInput,
  }),
  data: z.object({
    ...pathContextData.partial().shape,
    atom: atomRecord.optional(),
    molecule: moleculeRecord.optional(),
    atoms: z.array(atomRecord).optional(),
    changelog: z.array(changelogRecord).optional(),
    items: z.array(z.union([atomRecord, moleculeRecord])).optional(),
    count: z.number().optional(),
    total: z.number().optional(),
    limit: z.number().optional(),
    offset: z.number().optional(),
    next_offset: z.number().optional(),
    next_cursor: z.string().optional(),
  }),
  examples: [{ operation: 'context', paths: ['src/index.ts'] }],
  text: (data) =>
    data.unmatchedPaths
      ? contextText({
          molecules: data.molecules ?? [],
          orphanAtoms: data.orphanAtoms ?? [],
          unmatchedPaths: data.unmatchedPaths,
        })
      : [
          ...(data.items ?? []),
          ...(data.molecule ? [data.molecule] : []),
          ...(data.atoms ?? []),
          ...(data.atom ? [data.atom] : []),
        ]
          .map((one) => `${one.id}  ${one.name} (version ${one.version})\n${one.knowledge}`)
          .join('\n\n'),
  run: async (input, { app }) => {
    const store = await app.areas();
    const changelogLimit = input.includeChangelog ? input.changelogLimit : 0;
    const { operation } = input;
    if (operation === 'get') {
      const id = required(input.id, 'id', operation);
      if (required(input.entityType, 'entityType', operation) === 'molecule') {
        const { molecule, atoms } = await store.getMolecule(id, { changelogLimit });
        const { changelog, ...rest } = molecule;
        return {
          message: molecule.name,
          data: { molecule: rest, atoms, changelog },
        };
      }
      const { changelog, ...atom } = await store.getAtom(id, { changelogLimit });
      return { message: atom.name, data: { atom, changelog } };
    }
    const engine = await app.workAreas();
    const projectId = await engine.projectOrDefault(
      await optionalId(await app.work(), input.projectId, 'project'),
    );
    if (operation === 'context') {
      const paths = required(input.paths, 'paths', operation).filter((path) => path.trim() !== '');
      if (paths.length === 0)
        throw new SylkError('VALIDATION_ERROR', 'paths is empty.', {
          hint: 'Name the files that you work on.',
        });
      const found = await fitContext(
        await engine.context({ projectId, paths, changelogLimit }),
        input.max_tokens,
      );
      const atoms = found.molecules.reduce((sum, one) => sum + one.atoms.length, found.orphanAtoms.length);
      return {
        message: `${atoms} area(s) know these files; ${found.unmatchedPaths.length} file(s) unknown`,
        data: found,
      };
    }
    const { cursor, max_tokens, offset, ...question } = input;
    const start = offsetOf({ cursor, offset }, question);
    const kind = required(input.entityType, 'entityType', operation);
    const search = { ...input, projectId, changelogLimit, offset: start };
    const found = kind === 'atom' ? await store.searchAtoms(search) : await store.searchMolecules(search);
    const { items, ...paging } = await page<z.output<typeof atomRecord> | z.output<typeof moleculeRecord>>(
      found.items,
      {
        total: found.total,
        offset: start,
        request: { cursor, max_tokens },
        question,
      },
    );
    return {
      message: `${found.total} ${kind}(s)`,
      data: { items, count: items.length, limit: input.limit, offset: start, ...paging },
    };
  },
});

/** `null`, `"null"` and `""` make an orphan. */
const moleculeId = z.preprocess(
  (given) =>
    typeof given === 'string' && ['', 'null', 'none'].includes(given.trim().toLowerCase()) ? null : given,
  uuid.nullable(),
);
const reason = z.string();

const manageGraph = areas({
  name: 'manage_graph',
  summary:
    'Write area knowledge: create, update or delete a molecule or an atom. update and delete need the version; knowledgeMode append keeps what is there.',
  effect: 'write',
  destructive: true,
  input: z.object({
    operation: z.enum(['create', 'update', 'delete']),
    entityType: areaKind,
    id: uuid.optional().describe('for update and delete; on create your own UUID for the new one'),
    version: whole.optional().describe('for update and delete'),
    projectId: looseId.optional().describe('for create; may be left out when there is one project'),
    name: z.string().optional().describe('for create'),
    paths: words.optional().describe('atom: glob patterns, such as ["src/checkout/**"]'),
    knowledge: z.string().optional(),
    knowledgeMode: z.enum(['overwrite', 'append']).optional().default('overwrite'),
    moleculeId: moleculeId.optional().describe('atom: its molecule; null makes it an orphan'),
    relatedAtoms: looseList(z.object({ atomId: uuid, reason })).optional(),
    relatedMolecules: looseList(z.object({ moleculeId: uuid, reason })).optional(),
    createdByTaskId: uuid.optional().describe('for create'),
    lastTaskId: uuid.optional().describe('for update and delete: the task that you work on'),
    cascade: flag(false).describe('delete molecule: its atoms too'),
  }),
  data: z.object({
    atom: atomRecord.optional(),
    molecule: moleculeRecord.optional(),
    id: z.string().optional(),
    deletedAtoms: z.number().optional(),
    orphanedAtoms: z.number().optional(),
  }),
  examples: [
    {
      actor: 'ada',
      operation: 'create',
      entityType: 'atom',
      id: 'a1000000-0000-4000-8000-000000000005',
      createdByTaskId: 'a1000000-0000-4000-8000-000000000003',
      name: 'Entry point',
      paths: ['src/index.ts'],
      knowledge: 'Exports the public interface; nothing else imports it.',
    },
  ],
  run: async (input, { app }, by) => {
    const store = await app.areas();
    const { operation, entityType } = input;
    if (operation === 'create') {
      const given = await optionalId(await app.work(), input.projectId, 'project');
      const projectId = await (await app.workAreas()).projectOrDefault(given);
      const name = required(input.name, 'name', operation);
      if (entityType === 'molecule') {
        const molecule = await store.createMolecule(by, { ...input, projectId, name });
        return { message: 'Molecule created.', data: { molecule } };
      }
      const atom = await store.createAtom(by, { ...input, projectId, name, paths: input.paths ?? [] });
      return { message: 'Atom created.', data: { atom } };
    }
    const at = {
      id: required(input.id, 'id', operation),
      version: required(input.version, 'version', operation),
    };
    if (operation === 'delete') {
      const data =
        entityType === 'molecule'
          ? await store.deleteMolecule(by, { ...input, ...at })
          : await store.deleteAtom(by, at);
      return { message: `${entityType} deleted.`, data };
    }
    const projectId = await optionalId(await app.work(), input.projectId, 'project');
    const change = { ...input, ...at, projectId };
    return entityType === 'molecule'
      ? { message: 'Molecule updated.', data: { molecule: await store.updateMolecule(by, change) } }
      : { message: 'Atom updated.', data: { atom: await store.updateAtom(by, change) } };
  },
});

const manageChangelog = areas({
  name: 'manage_changelog',
  summary:
    'How an area evolved: append what changed and why (entries are never edited), or search the entries, newest first.',
  effect: 'write',
  input: z.object({
    operation: z.enum(['append', 'search']),
    parentType: areaKind,
    parentId: uuid,
    taskId: uuid.optional().describe('for append'),
    summary: z.string().optional().describe('for append: what changed and why'),
    ...listWindow,
    ...pagingInput,
  }),
  data: z.object({
    entry: changelogRecord.optional(),
    items: z.array(changelogRecord).optional(),
    count: z.number().optional(),
    total: z.number().optional(),
    limit: z.number().optional(),
    offset: z.number().optional(),
    next_offset: z.number().optional(),
    next_cursor: z.string().optional(),
  }),
  examples: [
    {
      actor: 'ada',
      operation: 'append',
      parentType: 'atom',
      parentId: 'a1000000-0000-4000-8000-000000000005',
      taskId: 'a1000000-0000-4000-8000-000000000003',
      summary: 'Start now opens a session; it used to be the caller who did.',
    },
  ],
  text: (data) =>
    (data.items ?? (data.entry ? [data.entry] : []))
      .map((entry) => `${entry.createdAt}  ${entry.summary}`)
      .join('\n') || 'no entries',
  run: async (input, { app }, by) => {
    const store = await app.areas();
    if (input.operation === 'append') {
      const summary = required(input.summary, 'summary', 'append');
      return {
        message: 'Entry appended.',
        data: { entry: await store.appendChangelog(by, { ...input, summary }) },
      };
    }
    const { cursor, max_tokens, offset, ...question } = input;
    const start = offsetOf({ cursor, offset }, question);
    const found = await store.searchChangelog({ ...input, offset: start });
    const { items, ...paging } = await page(found.items, {
      total: found.total,
      offset: start,
      request: { cursor, max_tokens },
      question,
    });
    return {
      message: `${found.total} entr${found.total === 1 ? 'y' : 'ies'}`,
      data: { items, count: items.length, limit: input.limit, offset: start, ...paging },
    };
  },
});

export const operations = [queryGraph, manageGraph, manageChangelog];
