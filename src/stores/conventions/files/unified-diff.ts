import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';

/** A diff that `git apply -p0` accepts, with three lines of context. */
export interface UnifiedDiff {
  text: string;
  added: number;
  removed: number;
}

/** Beyond this many changed lines the search for the smallest diff takes too long. */
const maxEditLength = 2000;

export function unifiedDiff(path: string, before: string, after: string): UnifiedDiff {
  const options = { context: 3, maxEditLength };
  const { hunks } = structuredPatch(path, path, before, after, undefined, undefined, options) ?? {
    hunks: [wholeFile(before, after)],
  };
  if (hunks.length === 0) return { text: '', added: 0, removed: 0 };
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const patch = { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks };
  return {
    // A range of one line is written without its length, as git does.
    text: formatPatch(patch, FILE_HEADERS_ONLY).replace(/^(@@ -\d+)(,\d+)? \+(\d+)(,\d+)? @@$/gm, shortRange),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

const shortRange = (_all: string, old: string, oldCount: string, fresh: string, count: string): string =>
  `${old}${oldCount === ',1' ? '' : oldCount} +${fresh}${count === ',1' ? '' : count} @@`;

/** All lines removed, then all lines added. */
function wholeFile(before: string, after: string): StructuredPatchHunk {
  const [old, fresh] = [before, after].map((text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  const lines = [...(old ?? []).map((line) => `-${line}`), ...(fresh ?? []).map((line) => `+${line}`)];
  return {
    oldStart: 1,
    oldLines: old?.length ?? 0,
    newStart: 1,
    newLines: fresh?.length ?? 0,
    lines: lines.flatMap((line) =>
      line.endsWith('\n') ? [line.slice(0, -1)] : [line, '\\ No newline at end of file'],
    ),
  };
}
