import { z } from 'zod';
import { messageOf, SylkError } from '../../base/errors.ts';
import { resolveInside } from '../../base/files/index.ts';
import { visibleText } from '../../base/terminal-text.ts';
import { removeHidden } from './hidden-text.ts';
import type { Skills } from './open.ts';
import { type SkillProblem, skillDescriptor, skillProblem, skillResource } from './skill.ts';
import { originOf } from './sources/composite.ts';
import { filesystemSource } from './sources/filesystem.ts';
import { mayEnter } from './trust.ts';

const origin = z.object({
  kind: z.string(),
  location: z.string(),
  remote: z.boolean(),
  repository: z.string().optional(),
  revision: z.string().optional(),
});

/** Everything a person needs to judge one skill. */
export const skillDetails = skillDescriptor.extend({
  extensions: z.record(z.string(), z.unknown()),
  body: z.string(),
  hidden_characters: z.number(),
  origin,
  digest: z.string(),
  trust: z.enum(['local', 'trusted', 'changed', 'new', 'source']),
  resources: z.array(skillResource),
  problems: z.array(skillProblem),
});

export async function describeSkill(skills: Skills, id: string): Promise<z.infer<typeof skillDetails>> {
  const engine = await skills.requireEngine();
  const { descriptor, body, extensions } = await engine.source.load(id);
  const from = await engine.originOf(id);
  const digest = await engine.digest(id);
  const { text, removed } = removeHidden(body);
  const { source_name } = descriptor;
  const state = await (await skills.trust()).state({
    id,
    origin: from,
    source_name,
    digest: async () => digest,
  });
  const problems = (await engine.problems()).filter(
    (problem) => problem.id === id && problem.source_name === descriptor.source_name,
  );
  return {
    ...descriptor,
    extensions,
    // A reviewer must see what is hidden in a text.
    body: mayEnter(state) ? text : visibleText(body),
    hidden_characters: removed,
    origin: from,
    digest,
    trust: state,
    resources: await engine.source.resources(id),
    problems,
  };
}

const weight = { error: 2, warning: 1, note: 0 };

export async function checkSkills(
  skills: Skills,
  request: { severity: SkillProblem['severity']; path?: string | undefined },
) {
  const checked = request.path
    ? filesystemSource({ root: resolveInside(skills.projectRoot, request.path) })
    : await skills.requireEngine();
  const all = await checked.problems();
  const counts = { error: 0, warning: 0, note: 0 };
  for (const problem of all) counts[problem.severity]++;
  const problems = all
    .filter((problem) => weight[problem.severity] >= weight[request.severity])
    .sort((one, other) => weight[other.severity] - weight[one.severity]);
  const source = 'source' in checked ? checked.source : checked;
  return { skills: (await source.list()).length, problems, counts };
}

/** Sources in order of precedence, each queried once; a failed one reports why, the others answer. */
export const sourceState = z.object({
  name: z.string(),
  kind: z.string(),
  location: z.string(),
  state: z.enum(['ready', 'waiting', 'unavailable']),
  detail: z.string(),
  revision: z.string().optional(),
  skills: z.number(),
  shadowed: z.number(),
});

export async function describeSources(skills: Skills, how: { refresh: boolean; accept_rewrite: boolean }) {
  const config = skills.config();
  const engine = await skills.engine();
  if (!engine) return { enabled: false, files: config.files, sources: [], warnings: config.warnings };
  const { source } = await skills.requireEngine();
  const failed = new Map<string, unknown>();
  for (const named of source.sources) {
    try {
      if (how.refresh) await named.source.refresh?.({ acceptRewrite: how.accept_rewrite });
      await named.source.list();
    } catch (error) {
      failed.set(named.name, error);
    }
  }
  const all = await source.listAll();
  const sources = source.sources.map(({ name, source: one }): z.infer<typeof sourceState> => {
    const { kind, location, revision } = originOf(one);
    const own = all.filter((skill) => skill.source_name === name);
    const error = failed.get(name);
    const waiting = error instanceof SylkError && error.code === 'APPROVAL_REQUIRED';
    const hint = error instanceof SylkError && error.hint ? ` (${error.hint})` : '';
    return {
      name,
      kind,
      location,
      revision: revision || undefined,
      state: (error === undefined && 'ready') || (waiting && 'waiting') || 'unavailable',
      detail: error === undefined ? '' : `${messageOf(error)}${hint}`,
      skills: own.filter((skill) => skill.shadowed_by === undefined).length,
      shadowed: own.filter((skill) => skill.shadowed_by !== undefined).length,
    };
  });
  return { enabled: true, files: config.files, sources, warnings: config.warnings };
}
