import { z } from 'zod';

export const containerKinds = ['project', 'feature', 'task'] as const;
export type ContainerKind = (typeof containerKinds)[number];

export const priorities = ['HIGH', 'MEDIUM', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** In `blockedBy`, stands for a reason that is not another container, such as waiting for a person. */
export const noOperation = 'NO_OP';

const base = {
  id: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  version: z.number(),
  createdAt: z.string(),
  modifiedAt: z.string(),
  modifiedBy: z.string(),
};

const staged = {
  projectId: z.string().nullable(),
  status: z.string(),
  priority: z.enum(priorities),
  blockedBy: z.array(z.string()),
  blockedReason: z.string().nullable(),
  relatedTo: z.array(z.string()),
};

export const claimRecord = z.object({ by: z.string(), expiresAt: z.string(), live: z.boolean() });

export const projectRecord = z.object({ ...base, name: z.string() });
export const featureRecord = z.object({ ...base, ...staged, name: z.string() });
export const taskRecord = z.object({
  ...base,
  ...staged,
  title: z.string(),
  featureId: z.string().nullable(),
  complexity: z.number(),
  claim: claimRecord.nullable(),
});

export type ProjectRecord = z.infer<typeof projectRecord>;
export type FeatureRecord = z.infer<typeof featureRecord>;
export type TaskRecord = z.infer<typeof taskRecord>;
export type StagedRecord = FeatureRecord | TaskRecord;
export type ContainerRecord = ProjectRecord | StagedRecord;

export const sectionFormats = ['PLAIN_TEXT', 'MARKDOWN', 'JSON', 'CODE'] as const;
export type SectionFormat = (typeof sectionFormats)[number];

export const sectionRecord = z.object({
  id: z.string(),
  entityType: z.enum(['PROJECT', 'FEATURE', 'TASK']),
  entityId: z.string(),
  title: z.string(),
  usageDescription: z.string(),
  content: z.string().optional(),
  contentFormat: z.enum(sectionFormats),
  ordinal: z.number(),
  tags: z.array(z.string()),
  version: z.number(),
  createdAt: z.string(),
  modifiedAt: z.string(),
});
export type SectionRecord = z.infer<typeof sectionRecord>;
export type EntityType = SectionRecord['entityType'];
/** How the design documents write the kind of a container. */
export const entityTypeOf = { project: 'PROJECT', feature: 'FEATURE', task: 'TASK' } as const;

export const templateSectionRecord = z.object({
  id: z.string(),
  title: z.string(),
  usageDescription: z.string(),
  contentSample: z.string(),
  contentFormat: z.enum(sectionFormats),
  ordinal: z.number(),
  isRequired: z.boolean(),
  tags: z.array(z.string()),
});

export const templateRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  targetEntityType: z.enum(['PROJECT', 'FEATURE', 'TASK']),
  isBuiltIn: z.boolean(),
  isProtected: z.boolean(),
  isEnabled: z.boolean(),
  createdBy: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  modifiedAt: z.string(),
  sections: z.array(templateSectionRecord).optional(),
});
export type TemplateRecord = z.infer<typeof templateRecord>;
