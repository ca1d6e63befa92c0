export interface Asked {
  kind: string;
  targets: Array<{ kind: string; target: string }>;
  files: number | null;
}

/** The smallest scope that is still a rule: the owner of a repository, the site of a page, the folder itself. */
function scopeOf({ kind, target }: { kind: string; target: string }): string {
  if (!URL.canParse(target)) return target;
  const { origin, pathname } = new URL(target);
  if (origin === 'null') return target;
  return kind === 'git' ? `${origin}/${pathname.split('/')[1] ?? ''}` : origin;
}

/** JSON is YAML: what a target holds cannot become another line of the rule. */
export function standingRule({ kind, targets, files }: Asked): string {
  const scopes = [...new Set(targets.map(scopeOf))].map((scope) => JSON.stringify(scope)).join(', ');
  return [
    'approvals:',
    '  rules:',
    '    - action: allow',
    `      kind: ${JSON.stringify(kind)}`,
    `      targets: [${scopes}]`,
    ...(files === null ? [] : [`      max_files: ${Math.max(500, files)}`]),
  ].join('\n');
}
