import { z } from 'zod';
import { addingKey, configSection, userKey } from '../../base/config/index.ts';
import type { ApprovalTarget } from './approval.ts';

const about = {
  kind: z.string().default('*').describe('REFERENCE_TOPIC_CREATE, REFERENCE_TOPIC_REFRESH, … or * for all'),
  targets: z.array(z.string()).default([]).describe('URL or path prefixes; empty for all'),
};

const rule = z.object({
  action: z.enum(['allow', 'ask', 'deny']),
  ...about,
  max_files: z.number().int().positive().optional(),
  max_megabytes: z.number().positive().optional(),
});

const restriction = z.object({ action: z.enum(['ask', 'deny']), ...about });

export const approvalsSection = configSection('approvals', {
  rules: userKey(z.array(rule).default([]), 'what is allowed, asked or denied'),
  restrict: addingKey(
    z.array(restriction).default([]),
    'what to ask or deny; a repository adds to your rules and can only make them stricter',
  ),
  expire_hours: userKey(z.number().positive().default(24), 'how long a request and its answer are valid'),
});

export type Verdict = 'allow' | 'ask' | 'deny';
export interface ApprovalPolicy {
  rules: Array<z.output<typeof rule>>;
  restrict: Array<z.output<typeof restriction>>;
}

export interface PolicyQuestion {
  kind: string;
  targets: ApprovalTarget[];
  files?: number | undefined;
  bytes?: number | undefined;
}

const strictness: Verdict[] = ['allow', 'ask', 'deny'];

/** The strictest matching rule. No match: ask. An unknown size never counts as small. */
export function judge(policy: ApprovalPolicy, question: PolicyQuestion): Verdict {
  const verdicts: Verdict[] = [];
  for (const { action, kind, targets, ...limits } of [...policy.rules, ...policy.restrict]) {
    if (kind !== '*' && kind.toUpperCase() !== question.kind) continue;
    const hits = question.targets.filter((target) => begins(target.target, targets));
    const matches =
      action === 'allow'
        ? hits.length === question.targets.length && within(question, limits)
        : hits.length > 0;
    if (matches) verdicts.push(action);
  }
  return verdicts.sort((a, b) => strictness.indexOf(b) - strictness.indexOf(a))[0] ?? 'ask';
}

const begins = (target: string, starts: string[]): boolean =>
  starts.length === 0 ||
  starts.some((start) => target === start || target.startsWith(start.endsWith('/') ? start : `${start}/`));

function within(question: PolicyQuestion, limits: { max_files?: number; max_megabytes?: number }): boolean {
  if (limits.max_files !== undefined && !((question.files ?? Infinity) <= limits.max_files)) return false;
  const bytes = question.bytes ?? Infinity;
  return limits.max_megabytes === undefined || bytes <= limits.max_megabytes * 1_000_000;
}
