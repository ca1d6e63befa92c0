import type { WorkTables } from './tables.ts';

type TemplateRow = WorkTables['work_templates'];
type TemplateSectionRow = WorkTables['work_template_sections'];

const born = '2026-01-01T00:00:00.000Z';
const standardTask = '5d0c1a52-0000-4000-8000-000000000001';

/** Shipped with the product and not editable; a row in the library only says whether one is disabled. */
export const builtInTemplates: TemplateRow[] = [
  {
    id: standardTask,
    name: 'Standard Task',
    description: 'The five sections that every task should have.',
    target_entity_type: 'TASK',
    is_built_in: 1,
    is_protected: 1,
    is_enabled: 1,
    created_by: 'sylk',
    tags: '[]',
    created_at: born,
    modified_at: born,
  },
];

const standardSections: Array<[title: string, usage: string, sample: string]> = [
  [
    'Implementation Plan',
    'Steps that an agent can follow without asking back',
    'What to change, in which order, and why this way.',
  ],
  [
    'Context Files',
    'Files to read first, one path per line; area knowledge is looked up by them',
    '(no files named yet)',
  ],
  ['Verification', 'How to show that it is done', 'Commands to run and what they must show.'],
  ['Dependencies and Constraints', 'What must exist first and what must not change', 'None known.'],
  ['Recommended Agent', 'Who or which model should do it', 'Any.'],
];

export const builtInSections: TemplateSectionRow[] = standardSections.map(
  ([title, usage_description, content_sample], ordinal) => ({
    id: `${standardTask.slice(0, -1)}${ordinal + 2}`,
    template_id: standardTask,
    title,
    usage_description,
    content_sample,
    content_format: 'MARKDOWN',
    ordinal,
    is_required: 1,
    tags: '[]',
  }),
);
