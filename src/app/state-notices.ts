import { dirname, join } from 'node:path';
import { tree } from '../base/files/index.ts';
import type { Repository } from '../base/git/index.ts';

/** One line for each state directory of this repository that is not opened, with the next step: what it has is in no answer. */
export function unopenedState({ state }: Repository): string[] {
  const lines: string[] = [];
  if (state.foreign)
    lines.push(
      `${state.foreign} was not created for this clone on this machine, so it is not opened. Run \`sylk library adopt\` to review and adopt it.`,
    );
  if (state.former)
    lines.push(
      `${state.former} belongs to another repository that was at this path, so it is not opened. If this is the same one, copied back or restored, run \`sylk library adopt\` to review and adopt it.`,
    );
  return lines;
}

/** A library of version 0.1 in the working tree, which a clone can bring too. */
export function unopenedLibrary({ sharedDirectory }: Repository): string[] {
  const old = join(sharedDirectory, 'sylk.db');
  if (!tree.entry(dirname(sharedDirectory), old)) return [];
  return [
    `${old} is not opened: libraries are kept outside of the working tree now. Run \`sylk library adopt\` to adopt what an older Sylk left there.`,
  ];
}
