import table from './problems.json' with { type: 'json' };
import type { SkillProblem } from './skill.ts';

/** A row of problems.json; the part after `/` distinguishes rows of one code. */
export type ProblemKey = keyof typeof table;

type Place = Pick<SkillProblem, 'file'> & Partial<SkillProblem>;

/** A problem at a place. `{name}` in its texts is replaced from the values, or from the place. */
export function problemAt(
  key: ProblemKey,
  place: Place,
  values: Record<string, string | number> = {},
): SkillProblem {
  const [severity, message = '', fix = ''] = table[key];
  const [code = key] = key.split('/');
  const known: Record<string, unknown> = { ...place, ...values };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_all, name: string) => String(known[name]));
  const rank = severity === 'error' || severity === 'warning' ? severity : 'note';
  return { line: 1, source_name: '', ...place, severity: rank, code, message: fill(message), fix: fill(fix) };
}
