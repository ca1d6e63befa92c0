import { z } from 'zod';
import { skillDescriptor } from '../../stores/skills/index.ts';

/** What all of these have in common. */
export const shared = { toolset: 'skills', scope: 'repository', domain: 'skills' } as const;

export const skillId = z
  .string()
  .min(1)
  .max(512)
  .describe('canonical skill id, e.g. extraction/email-extractor');

/** A skill in a list: what a model chooses by. Empty fields are left out to keep lists short. */
export const listedSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  source_name: z.string(),
  scope: skillDescriptor.shape.scope,
  requires_capabilities: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  shadowed_by: z.string().optional(),
  score: z.number().optional(),
});
type Listed = z.infer<typeof listedSkill>;

export const listed = (
  skill: z.output<typeof skillDescriptor> & { shadowed_by?: string; score?: number },
): Listed => ({
  id: skill.id,
  name: skill.name,
  description: skill.description,
  source_name: skill.source_name,
  scope: skill.scope,
  ...(skill.requires_capabilities.length > 0 ? { requires_capabilities: skill.requires_capabilities } : {}),
  ...(Object.keys(skill.metadata).length > 0 ? { metadata: skill.metadata } : {}),
  ...(skill.shadowed_by === undefined ? {} : { shadowed_by: skill.shadowed_by }),
  ...(skill.score === undefined ? {} : { score: skill.score }),
});

export const skillLine = (skill: Listed): string => {
  const text = skill.description.length > 160 ? `${skill.description.slice(0, 157)}…` : skill.description;
  const shadow = skill.shadowed_by ? `, shadowed by ${skill.shadowed_by}` : '';
  return `${skill.id}  (${skill.source_name}${shadow})\n    ${text}`;
};
