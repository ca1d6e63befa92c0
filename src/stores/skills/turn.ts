import { z } from 'zod';
import { reportOf } from '../../base/errors.ts';
import { person } from '../../base/files/index.ts';
import type { Resolution, SkillEngine } from './engine.ts';
import { parseReference, reservedCommands } from './ids.ts';

export const skillEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('SkillsResolved'), skills: z.array(z.string()), injection_bytes: z.number() }),
  z.object({ type: z.literal('SkillResolutionFailed'), reference: z.string(), error: z.string() }),
]);
export type SkillEvent = z.infer<typeof skillEvent>;

export interface TurnRequest {
  text: string;
  preload_skills?: string[] | undefined;
  skill_references?: string[] | undefined;
}

export interface TurnBlock {
  id: string;
  /** The person's and built-in text may go into the system prompt; text of others goes into a user message. */
  role: 'system' | 'user';
  content: string;
  source_name: string;
}

export interface PreparedTurn {
  /** The message without the resolved reference. */
  text: string;
  inventory: string;
  blocks: TurnBlock[];
  events: SkillEvent[];
}

/**
 * What an agent's loop does with skills around one message. Preloading is requested by a program: a missing skill
 * fails the whole call. A reference in a message comes from a person in passing: the turn continues without it.
 */
export async function prepareTurn(
  engine: SkillEngine | undefined,
  request: TurnRequest,
): Promise<PreparedTurn> {
  if (!engine) return { text: request.text, inventory: '', blocks: [], events: [] };
  const preload = given(request.preload_skills);
  const events: SkillEvent[] = [];
  const blocks: TurnBlock[] = [];
  if (preload) {
    const resolved = await engine.resolveAndRender(preload);
    events.push(resolvedEvent(resolved));
    blocks.push(...resolved.map((skill) => block(skill, skill.foreign ? 'user' : 'system')));
  }
  const inventory = await engine.inventorySection(preload ?? []);
  const reference = parseReference(request.text);
  const named = reference && !reservedCommands.has(reference.id) ? reference : undefined;
  let text = request.text;
  const asked: string[] = given(request.skill_references) ?? [];
  for (const id of [...(named ? [named.id] : []), ...asked]) {
    const fromMessage = named?.id === id && !asked.includes(id);
    try {
      const resolved = await engine.resolveAndRender([id]);
      events.push(resolvedEvent(resolved));
      blocks.push(...resolved.map((skill) => block(skill, 'user')));
      if (named?.id === id) text = named.rest;
    } catch (error) {
      // `/tmp foo` looks like a reference and is a path.
      if (fromMessage && person.exists(`/${id}`)) continue;
      const report = reportOf(error);
      events.push({
        type: 'SkillResolutionFailed',
        reference: id,
        error: report.code === 'NOT_FOUND' ? `Skill '${id}' not found` : report.message,
      });
    }
  }
  return { text, inventory, blocks, events };
}

/** An empty list means none was given. */
const given = (ids: string[] | undefined): string[] | undefined =>
  ids && ids.length > 0 ? [...new Set(ids)] : undefined;

const block = (skill: Resolution, role: TurnBlock['role']): TurnBlock => ({
  id: skill.id,
  role,
  content: skill.rendered_body,
  source_name: skill.source_name,
});

export const resolvedEvent = (resolved: Resolution[]): SkillEvent => ({
  type: 'SkillsResolved',
  skills: resolved.map((skill) => skill.id),
  injection_bytes: resolved.reduce((sum, skill) => sum + skill.byte_size, 0),
});
