import { join } from 'node:path';
import { state as files } from '../base/files/index.ts';
import type { Repository } from '../base/git/index.ts';

/** One line for each library that lies here and is not opened, with the next step. */
export function stateNotices({ state, sharedDirectory }: Repository): string[] {
  const lines: string[] = [];
  if (state.foreign)
    lines.push(
      `${state.foreign} was not created for this clone on this machine, so it is not opened. Run \`sylk library adopt\` to review and adopt it.`,
    );
  if (state.former)
    lines.push(
      `${state.former} belongs to another repository that was at this path, so it is not opened. If this is the same one, copied back or restored, run \`sylk library adopt\` to review and adopt it.`,
    );
  const old = join(sharedDirectory, 'sylk.db');
  if (files.entry(old))
    lines.push(
      `${old} is not opened: libraries are kept outside of the working tree now. Run \`sylk library adopt\` to adopt what an older Sylk left there.`,
    );
  return lines;
}
