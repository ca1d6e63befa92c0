/** The case style of a name; undefined where it is ambiguous (`user` is camelCase and snake_case). */
export function caseOf(name: string): string | undefined {
  const bare = name.replace(/^[_$#@]+|[_$?!=]+$/g, '');
  if (bare.length < 2) return undefined;
  if (/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(bare))
    return bare.length > 2 || bare.includes('_') ? 'UPPER_SNAKE_CASE' : undefined;
  if (/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(bare)) return 'snake_case';
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(bare)) return 'kebab-case';
  if (/^[a-z][a-z0-9]*([A-Z][A-Za-z0-9]*)+$/.test(bare)) return 'camelCase';
  if (/^[A-Z][a-z0-9]+([A-Z]+[a-z0-9]*)*$/.test(bare)) return 'PascalCase';
  if (/^[a-z][a-z0-9]*(\.[a-z0-9]+)+$/.test(bare)) return 'dot.case';
  return undefined;
}

/** The case style of a file name without extensions; entry points say nothing about style. */
export function fileCaseOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const stem = name
    .replace(/^\./, '')
    .replace(/\..*/, '')
    .replace(/[-_](test|spec)$|^test_/, '');
  if (/^(index|main|mod|lib|init|__init__|__main__|setup|conftest|app|App|page|layout|route)$/.test(stem))
    return undefined;
  return caseOf(stem);
}
