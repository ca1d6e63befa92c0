import { fileRef } from '../../base/ref.ts';
import { relatedFiles } from '../../stores/history/index.ts';
import type { AnswersContext } from './context.ts';
import { pathCalled, pathNamedIn } from './paths.ts';
import type { Cited } from './specialists/compose.ts';

const patienceMs = 5000;

/** Files that usually change with one, as `sylk cochange` ranks them; undefined where no file is called so. */
export async function changesTogether(
  { git, history }: AnswersContext,
  subject: string,
  limit: number,
): Promise<{ cited: Cited[]; total: number; path: string } | undefined> {
  const path = pathNamedIn(git, subject) ?? (await pathCalled(git, subject));
  if (!path) return undefined;
  const opened = await history();
  const { view } = await opened.ready({ waitMs: patienceMs });
  const file = view.find(path);
  if (file === undefined) return undefined;
  const together = relatedFiles(opened, view, file, { guesses: 0 }).filter(({ count }) => count > 0);
  return {
    path,
    total: together.length,
    cited: together.slice(0, limit).map(({ name, count, support }) => ({
      ref: fileRef(name),
      domain: 'code',
      place: name,
      reason: `${count} shared ${count === 1 ? 'commit' : 'commits'}, ${Math.round(support * 100)} % of its commits`,
    })),
  };
}
