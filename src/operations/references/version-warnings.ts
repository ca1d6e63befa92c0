import type { App } from '../../app.ts';
import type { FileHitOutput } from './shapes.ts';

/** Says where a topic documents another version of a package than the one this project has locked. */
export async function versionWarnings(app: App, hits: FileHitOutput[]): Promise<string[]> {
  const libraries = new Map(
    hits.flatMap(({ library, library_version, topic }) =>
      library && library_version ? [[library, { version: library_version, topic }] as const] : [],
    ),
  );
  const warnings: string[] = [];
  for (const [library, { version, topic }] of libraries) {
    const { dependencies } = await app.conventions();
    const { packages } = await dependencies.check({ need: library, path: '', limit: 20 });
    const used = packages.find(({ name }) => name.toLowerCase() === library.toLowerCase());
    if (used?.version && series(used.version) !== series(version)) {
      warnings.push(`${topic} documents ${library} ${version}, but this project uses ${used.version}.`);
    }
  }
  return warnings;
}

/** What may differ without changing how it is used: 1.2.3 and 1.4.0 are of one series, 0.5 and 0.6 are not. */
function series(version: string): string {
  const [major = '', minor = ''] = version.replace(/^[^\d]*/, '').split('.');
  return major === '0' ? `0.${minor}` : major;
}
