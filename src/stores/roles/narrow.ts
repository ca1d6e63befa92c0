import { z } from 'zod';
import type { RoleText } from './read-role.ts';
import type { Role } from './role.ts';

/** Without the defaults of a role: what a repository does not name stays as it is. */
const names = z.array(z.string()).optional();
const percent = z.number().optional();
const narrowing = z.strictObject({
  may: names,
  asks: names,
  tools: z
    .strictObject({
      core: names,
      contextual: z
        .union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)])
        .optional(),
      specialised: z.union([z.literal('all'), z.array(z.string())]).optional(),
    })
    .optional(),
  memory: z.strictObject({ compact: percent, hand_over: percent }).optional(),
});

/**
 * A repository may take away and add words of its own, never give: tools, effects and roles to ask are those that both
 * name, a threshold is the lower one, and its text comes after the prompt.
 */
export function narrowRole(role: Role, { head, prompt }: RoleText): { role: Role; problems: string[] } {
  const { name: _, ...given } = head;
  const known = Object.fromEntries(Object.entries(given).filter(([key]) => key in narrowing.shape));
  const refused = Object.keys(given)
    .filter((key) => !(key in narrowing.shape))
    .map((key) => `a repository does not decide about ${key}`);
  const parsed = narrowing.safeParse(known);
  if (!parsed.success)
    return { role, problems: [...refused, ...parsed.error.issues.map(({ message }) => message)] };
  const { tools = {}, memory = {}, asks, may } = parsed.data;
  const extra: string[] = [];
  const both = <Value extends string>(own: Value[], wanted: readonly string[] | undefined, what: string) => {
    if (wanted === undefined) return own;
    for (const each of wanted)
      if (!own.some((mine) => mine === each)) extra.push(`${what} ${each} is not given`);
    return own.filter((each) => wanted.includes(each));
  };
  const lower = (own: number | undefined, wanted: number | undefined) =>
    own === undefined || wanted === undefined ? own : Math.min(own, wanted);
  const contextual = both(Object.keys(role.tools.contextual), tools.contextual, 'the tool');
  const { specialised } = role.tools;
  const narrowed: Role = {
    ...role,
    may: both(role.may, may, 'the effect'),
    asks: both(role.asks, asks, 'the role'),
    tools: {
      core: both(role.tools.core, tools.core, 'the tool'),
      contextual: Object.fromEntries(
        Object.entries(role.tools.contextual).filter(([name]) => contextual.includes(name)),
      ),
      specialised:
        tools.specialised === undefined || tools.specialised === 'all'
          ? specialised
          : specialised === 'all'
            ? tools.specialised
            : both(specialised, tools.specialised, 'the tool'),
    },
    memory: {
      ...role.memory,
      compact: lower(role.memory.compact, memory.compact),
      hand_over: lower(role.memory.hand_over, memory.hand_over),
    },
    prompt: prompt === '' ? role.prompt : `${role.prompt}\n\nIn this repository:\n\n${prompt}`,
  };
  return { role: narrowed, problems: [...refused, ...extra] };
}
