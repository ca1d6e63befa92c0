import { z } from 'zod';
import { configSection, dataKey } from '../../../base/config/index.ts';
import { workflowsSchema } from '../workflow-states.ts';

export const workSection = configSection('work', {
  pipelines: dataKey(
    workflowsSchema,
    'states of features and tasks; locked when the first of them is created (`sylk work sync` adopts a change)',
  ),
  default_project: dataKey(z.string().default(''), 'id or name of the default project'),
});
