import { z } from 'zod';
import {
  isForeign,
  type JudgedSkill,
  labelOf,
  lastSegment,
  mayEnter,
  plainId,
  skillDescriptor,
} from '../../stores/skills/index.ts';

/** The fields shared by all of these. */
export const skillId = z
  .string()
  .min(1)
  .max(512)
  .describe('canonical skill id, e.g. extraction/email-extractor');

/** A skill in a list: what a model chooses by. Empty fields are omitted to keep lists short. */
export const listedSkill = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  source_name: z.string(),
  scope: skillDescriptor.shape.scope,
  /** Only for text by other authors. */
  from: z.string().optional().describe('origin of text that needs trust'),
  trust: z
    .enum(['trusted', 'changed', 'new', 'source'])
    .optional()
    .describe('new or changed: withheld until trusted'),
  requires_capabilities: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  shadowed_by: z.string().optional(),
  plain_id_in: z.string().optional().describe('the source that owns this id without repo:'),
  score: z.number().optional(),
});
type Listed = z.infer<typeof listedSkill>;

/** An untrusted skill is listed by id only, for every caller: agents run commands, too. */
export const listed = (skill: JudgedSkill & { score?: number }): Listed => {
  const { id, origin, trust, source_name, scope, shadowed_by, plain_id_in, score } = skill;
  const from = isForeign(origin) ? labelOf(source_name, origin) : undefined;
  const place = { id, source_name, scope, from, shadowed_by, plain_id_in, score };
  const decided = trust === 'local' ? undefined : trust;
  if (!mayEnter(trust))
    return {
      ...place,
      name: lastSegment(plainId(id)),
      trust: decided,
      description: `Withheld until a person trusts it: sylk skills show ${id}`,
    };
  return {
    ...place,
    name: skill.name,
    description: skill.description,
    trust: decided,
    requires_capabilities: skill.requires_capabilities.length > 0 ? skill.requires_capabilities : undefined,
    metadata: Object.keys(skill.metadata).length > 0 ? skill.metadata : undefined,
  };
};

export const skillLine = (skill: Listed): string => {
  const text = skill.description.length > 160 ? `${skill.description.slice(0, 157)}…` : skill.description;
  const said = [
    skill.from ?? skill.source_name,
    skill.trust === 'new' && 'NOT TRUSTED',
    skill.trust === 'changed' && 'NOT TRUSTED: it changed since you trusted it',
    skill.shadowed_by && `shadowed by ${skill.shadowed_by}`,
    skill.plain_id_in && `without repo: the id belongs to a skill of ${skill.plain_id_in}`,
  ].filter(Boolean);
  return `${skill.id}  (${said.join(', ')})\n    ${text}`;
};
