import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';

/** How a person's own checkout stands: what is checked out, and every file that differs from it. */
export type CheckoutState = ReadonlyMap<string, string>;

export async function readCheckout(git: Git): Promise<CheckoutState> {
  const state = new Map<string, string>();
  state.set('the branch', await git.text(['symbolic-ref', '--quiet', 'HEAD'], { accept: [1] }));
  state.set('the commit', await git.text(['rev-parse', '--verify', '--quiet', 'HEAD'], { accept: [1] }));
  const entries = await git.list([
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=normal',
  ]);
  for (const entry of entries) {
    const path = entry.slice(3).replace(/\/$/, '');
    state.set(path, `${entry.slice(0, 2)} ${tree.entry(git.directory, path)?.mark ?? ''}`);
  }
  return state;
}

/** What differs between two looks, by name. */
export function checkoutDifferences(before: CheckoutState, after: CheckoutState): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
