import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { judge } from '../../src/stores/approvals/policy.ts';
import { standingRule } from '../../web/src/approvals/rule-text.ts';

const asked = {
  kind: 'REFERENCE_TOPIC_CREATE',
  targets: [
    { kind: 'git', target: 'https://github.com/honojs/hono' },
    { kind: 'web', target: 'https://hono.dev/docs/api' },
  ],
  files: 40,
};
const rulesOf = (text: string) => ({ restrict: [], ...parse(text).approvals });

test('the rule that is shown allows what was asked and its like, and nothing of another owner or site', () => {
  const policy = rulesOf(standingRule(asked));
  const of = (...targets: string[]) =>
    judge(policy, { ...asked, targets: targets.map((target) => ({ kind: 'web', target })) });
  expect(judge(policy, asked)).toBe('allow');
  expect(of('https://github.com/honojs/middleware', 'https://hono.dev/blog')).toBe('allow');
  expect(of('https://github.com/other/hono')).toBe('ask');
  expect(of('https://hono.dev.evil.example/docs')).toBe('ask');
  expect(judge(policy, { ...asked, files: 501 })).toBe('ask');
  expect(judge(policy, { ...asked, kind: 'WORKSPACE_ESCAPE' })).toBe('ask');
});

test('a target cannot write another line into the rule', () => {
  const target = '/tmp/x"]\n    - action: allow\n      kind: "*"';
  const { rules } = rulesOf(standingRule({ ...asked, targets: [{ kind: 'local', target }] }));
  expect(rules).toEqual([
    { action: 'allow', kind: 'REFERENCE_TOPIC_CREATE', targets: [target], max_files: 500 },
  ]);
});
