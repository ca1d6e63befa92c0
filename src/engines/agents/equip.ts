import type { Role } from '../../stores/roles/index.ts';
import techniqueTools from './technique-tools.json' with { type: 'json' };
import type { WorkTool } from './worker.ts';

const techniqueOf = new Map(
  Object.entries(techniqueTools).flatMap(([technique, tools]) => tools.map((tool) => [tool, technique])),
);

/**
 * The tools of a role, each in the tier that its file says. What the role may not do, what belongs to a technique that it has not, and
 * whom it does not speak to is not among them. What ends a leg always is.
 */
export function equip(role: Role | undefined, tools: WorkTool[]): WorkTool[] {
  if (!role) return tools;
  const { core, contextual, specialised } = role.tools;
  return tools.flatMap((tool): WorkTool[] => {
    const { name } = tool;
    if (tool.effect === 'end') return [{ ...tool, tier: 'core' }];
    if (!isOpenTo(role, tool)) return [];
    if (core.includes(name)) return [{ ...tool, tier: 'core', words: undefined, phases: undefined }];
    const called = contextual[name];
    if (called) return [{ ...tool, tier: 'contextual', ...called }];
    return specialised === 'all' || specialised.includes(name) ? [{ ...tool, tier: 'specialised' }] : [];
  });
}

function isOpenTo(role: Role, { name, effect }: WorkTool): boolean {
  const technique = techniqueOf.get(name);
  const [, asked] = /^consult_(\w+)$/.exec(name) ?? [];
  return (
    role.may.includes(effect) &&
    (technique === undefined || role.techniques.some((own) => own === technique)) &&
    (asked === undefined || role.asks.includes(asked))
  );
}
