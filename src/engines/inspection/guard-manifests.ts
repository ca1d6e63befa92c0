import type { ChangedFile } from './change.ts';
import type { GuardFinding } from './guard-finding.ts';

/** What a manifest says about the package itself and decides nothing about its judges. */
const harmlessKeys = new Set(
  'name version description keywords author contributors maintainers license repository homepage bugs funding main module types typings exports files bin man sideEffects dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies browserslist private type'.split(
    ' ',
  ),
);
const harmlessSections =
  /^(?:|project(?:\.(?:urls|scripts|optional-dependencies|entry-points.*))?|build-system|(?:dev-|build-)?dependencies.*|package|metadata|options.*|dependency-groups|tool\.poetry(?:\..*)?|workspace(?:\.(?:package|dependencies))?|features)$/;
/** Which files of a package are tests at all stands among what describes it. */
const ofTests = /^\s*(auto(?:tests|benches|examples|bins)|harness|test|doctest|build)\s*=/;
/** A package that comes from elsewhere than the registry. */
const elsewhere =
  /["'](?:git\+|git:|github:|gitlab:|bitbucket:|https?:|file:|link:|portal:|\.\.?\/)[^"']*["']|\bgit\s*=\s*"|\bpath\s*=\s*"\.\.|^\s*replace\s+\S+.*=>|@\s*(?:git\+|https?:|file:)/;

/** Manifests hold scripts and settings of tools beside the names of packages. */
export function guardManifest({ path, before = '', after, lines }: ChangedFile): GuardFinding[] {
  if (
    after === undefined ||
    !/(^|\/)(package\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|go\.mod|composer\.json|deno\.jsonc?)$/.test(
      path,
    )
  )
    return [];
  const parts = path.endsWith('.json') ? jsonParts : sectionParts;
  const [old, now] = [parts(before), parts(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    // A new manifest settles nothing that was there before, but its commands will run.
    .filter((key) => before !== '' || key === 'scripts');
  const settings: GuardFinding[] = changed.map((key) => ({
    guard: 'judge',
    file: path,
    message:
      key === 'scripts'
        ? `${before === '' ? 'added' : 'modified'}: a build or test command`
        : `modified: ${key}, which tools or packages act on`,
  }));
  const earlier = new Set(before.split('\n').map((line) => line.trim()));
  const foreign = after.split('\n').flatMap((text, at): GuardFinding[] => {
    const isNew = (before === '' || lines.has(at + 1)) && !earlier.has(text.trim());
    return isNew && elsewhere.test(text) && !/"(?:url|homepage|repository|bugs|\$schema)"/.test(text)
      ? [
          {
            guard: 'dependency',
            file: path,
            line: at + 1,
            message: 'a package that does not come from the registry',
          },
        ]
      : [];
  });
  return [...settings, ...foreign];
}

function jsonParts(text: string): Map<string, string> {
  try {
    const entries = Object.entries(JSON.parse(text || '{}') as Record<string, unknown>);
    return new Map(
      entries.flatMap(([key, value]) =>
        harmlessKeys.has(key) ? [] : [[key, JSON.stringify(value)] as const],
      ),
    );
  } catch {
    return new Map([['the file', text]]);
  }
}

function sectionParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const [, name] = /^\s*\[+([^\]]+)\]+\s*$/.exec(line) ?? [];
    if (name !== undefined) section = name.replaceAll('"', '').trim();
    else if (line.trim() !== '') {
      const key = harmlessSections.test(section) ? ofTests.exec(line)?.[1] : section;
      if (key !== undefined) parts.set(key, `${parts.get(key) ?? ''}${line}\n`);
    }
  }
  return parts;
}
