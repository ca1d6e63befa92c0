import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The launcher of this very installation, found by walking up from here; `sylk` where there is none. */
export function findLauncher(from: string = import.meta.dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const launcher = join(directory, 'bin', process.platform === 'win32' ? 'sylk.cmd' : 'sylk');
    if (existsSync(launcher)) return launcher;
    if (dirname(directory) === directory) return 'sylk';
  }
}
