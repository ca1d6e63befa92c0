import { dirname, join } from 'node:path';
import { product } from './files/index.ts';

/** The launcher of this very installation, found by walking up from here; `sylk` where there is none. */
export function findLauncher(from: string = import.meta.dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const launcher = join(directory, 'bin', process.platform === 'win32' ? 'sylk.cmd' : 'sylk');
    if (product.exists(launcher)) return launcher;
    if (dirname(directory) === directory) return 'sylk';
  }
}
