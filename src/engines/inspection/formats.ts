import type { CheckReport } from './record.ts';

const levels = { error: 'error', warning: 'warning', note: 'note' } as const;

/** SARIF 2.1.0, which code hosts and editors show at its lines: findings, broken tests, and what a person should see. */
export function toSarif({ gates, findings, broken_tests, review, needs_review }: CheckReport): string {
  const result = (
    level: keyof typeof levels,
    message: string,
    { rule, file, line, column }: { rule?: string; file?: string; line?: number; column?: number },
  ) => ({
    ruleId: rule,
    level,
    message: { text: message },
    locations: file
      ? [
          {
            physicalLocation: {
              artifactLocation: { uri: encodeURI(file), uriBaseId: '%SRCROOT%' },
              region: line === undefined ? undefined : { startLine: line, startColumn: column },
            },
          },
        ]
      : undefined,
  });
  const runOf = (name: string, results: unknown[], failures: string[] = []) => ({
    tool: { driver: { name } },
    invocations: [
      {
        executionSuccessful: failures.length === 0,
        toolExecutionNotifications: failures.map((text) => ({ level: 'error', message: { text } })),
      },
    ],
    results,
  });
  const runs = [...new Set(gates.map(({ tool }) => tool))].map((tool) =>
    runOf(
      tool,
      [
        ...findings.filter((one) => one.tool === tool).map((one) => result(one.severity, one.message, one)),
        ...broken_tests
          .filter((one) => one.tool === tool)
          .map(({ id, file, message }) =>
            result('error', `${id}: ${message ?? 'red'}`, { rule: 'broken-test', file }),
          ),
      ],
      gates.flatMap((gate) => (gate.tool === tool && gate.problem ? [gate.problem] : [])),
    ),
  );
  const guarded = review.map(({ guard, message, ...place }) =>
    result(needs_review && !place.minor ? 'error' : 'note', message, { rule: guard, ...place }),
  );
  const sarif = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [...runs, runOf('sylk', guarded)],
  };
  return JSON.stringify(sarif, null, 2);
}

/** JUnit XML, which every pipeline reads: one suite for each tool, one case for each finding and broken test. */
export function toJunit({ gates, findings, broken_tests, review, needs_review }: CheckReport): string {
  const suites = gates.map(({ tool, category, problem, seconds }) => {
    const name = `${tool} (${category.replace('_', ' ')})`;
    const failures = [
      ...findings
        .filter((one) => one.tool === tool && one.category === category && one.severity === 'error')
        .map(({ file = '', line = 0, rule = '', message }) => ({ name: `${file}:${line} ${rule}`, message })),
      ...(category === 'test_framework' ? broken_tests.filter((one) => one.tool === tool) : []).map(
        ({ id, message = 'red' }) => ({ name: id, message }),
      ),
    ];
    const cases = failures.map(
      (one) =>
        `<testcase name="${escaped(one.name)}" classname="${escaped(name)}"><failure message="${escaped(one.message)}"/></testcase>`,
    );
    if (problem)
      cases.push(`<testcase name="${escaped(name)}"><error message="${escaped(problem)}"/></testcase>`);
    if (cases.length === 0) cases.push(`<testcase name="${escaped(name)}"/>`);
    return `<testsuite name="${escaped(name)}" tests="${cases.length}" failures="${failures.length}" errors="${problem ? 1 : 0}" time="${seconds}">${cases.join('')}</testsuite>`;
  });
  const waiting = needs_review ? review.filter(({ minor }) => !minor) : [];
  if (waiting.length > 0) {
    const cases = waiting.map(
      ({ file = '', line = 0, message }) =>
        `<testcase name="${escaped(`${file}:${line}`)}" classname="review"><failure message="${escaped(message)}"/></testcase>`,
    );
    suites.push(
      `<testsuite name="review" tests="${cases.length}" failures="${cases.length}">${cases.join('')}</testsuite>`,
    );
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>${suites.join('\n')}</testsuites>\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no control characters, not even as entities; line ends in attributes would become blanks. */
const escaped = (text: string): string =>
  text
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/\r?\n/g, '&#10;');
