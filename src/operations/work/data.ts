import { z } from 'zod';
import { featureRecord, projectRecord, taskRecord } from '../../stores/work/index.ts';

/** The widest first: a record keeps all of its fields. */
export const anyContainer = z.union([taskRecord, featureRecord, projectRecord]);

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
