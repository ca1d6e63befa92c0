import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Databases and caches stay out of git; everything else in `.sylk/` is meant to be shared. */
const ignored = `# Written by Sylk: what can be derived, or is private to this machine.
*.db
*.db-*
*.db.corrupt.*
backups/
cache/
run/
snapshots/
`;

export function prepareSylkDirectory(directory: string): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, '.gitignore');
  if (!existsSync(file)) writeFileSync(file, ignored);
  return directory;
}
