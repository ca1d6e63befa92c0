import { setTimeout as wait } from 'node:timers/promises';

/** Resolves the first time that it holds; what holds for a moment only is never asked again. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (await holds()) return;
    await wait(25);
  }
  throw new Error(`It never held: ${holds}`);
}
