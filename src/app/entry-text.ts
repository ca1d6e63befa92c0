import type { Entry } from '../stores/chronicle/index.ts';

/** Everything that an entry says. */
export const textOfEntry = (entry: Entry): string =>
  [entry.content.startsWith(entry.title) ? '' : `${entry.title}.`, entry.content, entry.resolution]
    .filter(Boolean)
    .join('\n');
