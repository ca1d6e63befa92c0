import { z } from 'zod';
import { featureRecord, projectRecord, taskRecord } from '../../stores/work/index.ts';

/** The widest first: a record keeps all of its fields. */
const anyContainer = z.union([taskRecord, featureRecord, projectRecord]);

export const containerList = {
  items: z.array(anyContainer).optional(),
  count: z.number().optional(),
  total: z.number().optional(),
  limit: z.number().optional(),
  offset: z.number().optional(),
  next_offset: z.number().optional(),
  next_cursor: z.string().optional(),
};

export const dependentData = z.object({
  id: z.string(),
  type: z.enum(['feature', 'task']),
  name: z.string(),
  stillBlocked: z.boolean(),
});

export const dependencyLink = z.object({
  type: z.enum(['BLOCKS', 'RELATES_TO']),
  fromId: z.string(),
  toId: z.string(),
  fromEntityType: z.string().optional(),
  toEntityType: z.string().optional(),
  name: z.string().optional(),
});

export const taskCounts = z.object({
  total: z.number(),
  byStatus: z.record(z.string(), z.number()),
  blocked: z.number(),
  claimed: z.number(),
});

export const workflowState = z.object({
  containerType: z.string(),
  id: z.string(),
  currentStatus: z.string(),
  nextStatus: z.string().nullable(),
  previousStatus: z.string().nullable(),
  isTerminal: z.boolean(),
  isBlocked: z.boolean(),
  blockedBy: z.array(z.string()),
  blockedReason: z.string().nullable(),
  pipelinePosition: z.string().nullable(),
  relatedEntities: z.array(z.string()),
  version: z.number(),
});
