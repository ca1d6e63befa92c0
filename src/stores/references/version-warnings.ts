interface Documented {
  title: string;
  library?: string | undefined;
  library_version?: string | undefined;
}

interface Used {
  name: string;
  version: string;
}

/** Warnings for topics about another version of a package than the locked one. */
export async function versionWarnings(
  topics: Documented[],
  packagesOf: (library: string) => Promise<Used[]>,
): Promise<string[]> {
  const libraries = topics.flatMap(({ library, library_version }) =>
    library && library_version ? [library] : [],
  );
  const used: Used[] = [];
  for (const library of new Set(libraries)) used.push(...(await packagesOf(library)));
  return otherVersions(topics, used);
}

/** One line for each topic about a package of which the project uses another series. */
export function otherVersions(topics: Documented[], used: Used[]): string[] {
  const warnings = topics.flatMap(({ title, library, library_version }) => {
    if (!library || !library_version) return [];
    const found = used.find(({ name }) => name.toLowerCase() === library.toLowerCase());
    const [wanted, documented] = [found?.version ?? '', library_version].map(series);
    if (!found || !wanted || !documented || wanted === documented) return [];
    return [`${title} documents ${library} ${library_version}, but this project uses ${found.version}.`];
  });
  return [...new Set(warnings)];
}

/**
 * The compatible series: 1.2.3 and 1.4.0 are of one series, 0.5 and 0.6 are not. Empty if
 * there is no number, such as in `latest` or `workspace:*`.
 */
function series(version: string): string {
  const [major = '', minor = ''] = version.replace(/^[^\d]*/, '').split('.');
  return major === '0' ? `0.${minor}` : major;
}
