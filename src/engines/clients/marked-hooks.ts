import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfThere, writeFileAtomic } from '../../base/files.ts';

const block = /^# sylk:begin.*\r?\n[\s\S]*?^# sylk:end.*(?:\r?\n|$)/gm;

/** Takes our marked lines out of git hooks; a hook that holds nothing else goes. Answers the paths that changed. */
export function removeMarkedHooks(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const changed: string[] = [];
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const text = readTextIfThere(path);
    const rest = text?.replace(block, '');
    if (text === undefined || rest === undefined || rest === text) continue;
    if (/^(?:#!.*)?\s*$/.test(rest)) rmSync(path);
    else writeFileAtomic(path, rest);
    changed.push(path);
  }
  return changed;
}
