import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';

/** What an installation changed, so that it can be undone to the byte. */
const installSchema = z.object({
  client: z.string(),
  scope: z.enum(['user', 'project']),
  name: z.string(),
  path: z.string(),
  repository: z.string(),
  /** The original; absent if there was no file. */
  backup: z.string().optional(),
  /** Directories created for the file, outermost first. */
  made: z.array(z.string()),
  /** True if the table of servers was created for our entry. */
  madeTable: z.boolean(),
  /** Digest of the file after our edit. */
  left: z.string(),
});
export type Install = z.infer<typeof installSchema>;

export interface Records {
  all(): Install[];
  find(path: string, name: string): Install | undefined;
  put(install: Install): void;
  drop(install: Install): void;
  keepBackup(label: string, content: string): string;
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export function openRecords(directory: string): Records {
  const file = join(directory, 'installs.json');
  const all = (): Install[] => {
    const text = state.readText(file);
    if (text === undefined) return [];
    try {
      return z.array(installSchema).parse(JSON.parse(text));
    } catch (error) {
      throw new SylkError('UNAVAILABLE', `${file} cannot be read: ${messageOf(error).slice(0, 200)}`, {
        hint: 'Move it away; entries can then still be removed, but not restored to the byte.',
      });
    }
  };
  const save = (installs: Install[]) => {
    if (installs.length === 0) state.remove(file);
    else state.write(file, `${JSON.stringify(installs, null, 2)}\n`);
  };
  const others = (install: { path: string; name: string }) =>
    all().filter((known) => known.path !== install.path || known.name !== install.name);
  return {
    all,
    find: (path, name) => all().find((known) => known.path === path && known.name === name),
    put: (install) => save([...others(install), install]),
    drop: (install) => {
      save(others(install));
      if (install.backup) state.remove(install.backup);
    },
    keepBackup: (label, content) => {
      const time = new Date().toISOString().replace(/[:.]/g, '-');
      const path = join(directory, 'backups', `${label}-${time}`);
      state.write(path, content);
      return path;
    },
  };
}
