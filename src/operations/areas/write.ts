import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { atomRecord, changelogRecord, moleculeRecord } from '../../stores/areas/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { flag, looseId, optionalId, projectOf, required, uuid, whole, words } from '../work-inputs.ts';
import { areaType } from './data.ts';

/** `null`, `"null"` and `""` remove the atom from its molecule. */
const moleculeId = z.preprocess(
  (given) =>
    typeof given === 'string' && ['', 'null', 'none'].includes(given.trim().toLowerCase()) ? null : given,
  uuid.nullable(),
);
const reason = z.string();

const saveArea = envelopeOperation({
  name: 'save_area',
  summary:
    'Write area knowledge: create a molecule or an atom, or update one by id and version. knowledge_mode append keeps the existing text. text accepts the edited Markdown of get_area.',
  effect: 'write',
  input: z.object({
    type: areaType.optional(),
    id: uuid.optional().describe('id of the area to update; on create, your own UUID for the new one'),
    version: whole.optional().describe('current version; updates instead of creating'),
    project_id: looseId.optional().describe('for a new area; optional when there is one project'),
    name: z.string().optional().describe('required for a new area'),
    paths: words.optional().describe('atom: glob patterns, such as ["src/checkout/**"]'),
    knowledge: z.string().optional(),
    knowledge_mode: z.enum(['overwrite', 'append']).optional().default('overwrite'),
    molecule_id: moleculeId.optional().describe('atom: its molecule; null removes it from its molecule'),
    related_atoms: looseList(z.object({ atomId: uuid, reason })).optional(),
    related_molecules: looseList(z.object({ moleculeId: uuid, reason })).optional(),
    created_by_task_id: uuid.optional().describe('for a new area'),
    last_task_id: uuid.optional().describe('for an update: the task you work on'),
    text: z.string().optional().describe('the edited text of get_area, with the version you read'),
  }),
  data: z.object({
    atom: atomRecord.optional(),
    molecule: moleculeRecord.optional(),
    kind: areaType.optional(),
    id: z.string().optional(),
    version: z.number().optional(),
    changed: z.boolean().optional(),
  }),
  examples: [
    {
      actor: 'ada',
      type: 'atom',
      id: 'a1000000-0000-4000-8000-000000000005',
      created_by_task_id: 'a1000000-0000-4000-8000-000000000003',
      name: 'Entry point',
      paths: ['src/index.ts'],
      knowledge: 'Exports the public interface; nothing else imports it.',
    },
    {
      actor: 'ada',
      version: 1,
      text: '---\nkind: atom\nid: a1000000-0000-4000-8000-000000000005\nname: Entry\nprojectId: a1000000-0000-4000-8000-000000000001\npaths:\n  - src/index.ts\nversion: 1\ncreatedAt: 2026-01-01T00:00:00.000Z\nupdatedAt: 2026-01-01T00:00:00.000Z\n---\n\nExports everything.\n',
    },
  ],
  run: async ({ text, version, ...input }, { app }, by) => {
    if (text !== undefined) {
      const request = { text, version: required(version, 'version') };
      const data = await (await app.workAreas()).putAreaText(by, request);
      return { message: data.changed ? `Saved as version ${data.version}.` : 'Nothing changed.', data };
    }
    const store = await app.areas();
    const isAtom = required(input.type, 'type') === 'atom';
    if (version !== undefined) {
      const projectId = await optionalId(await app.work(), input.projectId, 'project');
      const change = { ...input, id: required(input.id, 'id'), version, projectId };
      return isAtom
        ? { message: 'Atom updated.', data: { atom: await store.updateAtom(by, change) } }
        : { message: 'Molecule updated.', data: { molecule: await store.updateMolecule(by, change) } };
    }
    const projectId = await projectOf(app, input.projectId);
    const area = { ...input, projectId, name: required(input.name, 'name'), paths: input.paths ?? [] };
    return isAtom
      ? { message: 'Atom created.', data: { atom: await store.createAtom(by, area) } }
      : { message: 'Molecule created.', data: { molecule: await store.createMolecule(by, area) } };
  },
});

const deleteArea = envelopeOperation({
  name: 'delete_area',
  summary: 'Delete an atom or a molecule; with cascade the atoms of the molecule too.',
  effect: 'write',
  destructive: true,
  input: z.object({
    type: areaType,
    id: uuid,
    version: whole.describe('current version'),
    last_task_id: uuid.optional().describe('the task you work on'),
    cascade: flag(false).describe('molecule: also delete its atoms'),
  }),
  data: z.object({
    id: z.string().optional(),
    deletedAtoms: z.number().optional(),
    orphanedAtoms: z.number().optional(),
  }),
  examples: [{ actor: 'ada', type: 'atom', id: 'a1000000-0000-4000-8000-000000000005', version: 2 }],
  run: async (input, { app }, by) => {
    const store = await app.areas();
    const remove = input.type === 'molecule' ? store.deleteMolecule : store.deleteAtom;
    return { message: `${input.type} deleted.`, data: await remove(by, input) };
  },
});

const recordAreaChange = envelopeOperation({
  name: 'record_area_change',
  summary: 'Add a changelog entry to an atom or molecule: what changed and why. Entries cannot be edited.',
  effect: 'write',
  input: z.object({
    type: areaType,
    id: uuid,
    task_id: uuid.optional(),
    summary: z.string().describe('what changed and why'),
  }),
  data: z.object({ entry: changelogRecord }),
  examples: [
    {
      actor: 'ada',
      type: 'atom',
      id: 'a1000000-0000-4000-8000-000000000005',
      task_id: 'a1000000-0000-4000-8000-000000000003',
      summary: 'Start now opens a session; it used to be the caller who did.',
    },
  ],
  text: ({ entry }) => `${entry.createdAt}  ${entry.summary}`,
  run: async ({ type: parentType, id: parentId, ...input }, { app }, by) => {
    const entry = await (await app.areas()).appendChangelog(by, { ...input, parentType, parentId });
    return { message: 'Entry appended.', data: { entry } };
  },
});

export const operations = [saveArea, recordAreaChange, deleteArea];
