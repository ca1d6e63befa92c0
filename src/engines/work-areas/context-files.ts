import type { Areas, PathContext } from '../../stores/areas/index.ts';
import type { TaskRecord, Work } from '../../stores/work/index.ts';

/** The section that lists the files of a task. */
export const contextFilesTitle = 'context files';

const maxPaths = 500;
const named =
  /^(?:Makefile|Dockerfile|Justfile|Rakefile|Gemfile|Procfile|LICENSE|README|CHANGELOG|CODEOWNERS)$/;

/**
 * Extracts file paths from free text: one per line, with commas, or both; with bullets, backticks,
 * links and remarks. Lines without a path are skipped.
 */
export function extractPaths(content: string): string[] {
  const paths = new Set<string>();
  for (const line of content.split(/\r\n|\r|\n/)) {
    const text = line.trim();
    if (text === '' || /^(?:#|\/\/|```|~~~|<!--)/.test(text)) continue;
    for (const candidate of candidates(text)) {
      const path = cleanPath(candidate);
      if (path !== undefined) paths.add(path);
      if (paths.size >= maxPaths) return [...paths];
    }
  }
  return [...paths];
}

/** Back ticks and links hold paths, and so does the text between them. */
function candidates(line: string): string[] {
  const bare = line.replace(/^(?:[-*+•]\s+|\d+[.)]\s+|\[[ xX]\]\s+)+/, '');
  const found: string[] = [];
  let from = 0;
  for (const held of bare.matchAll(/`([^`]+)`|\[[^\]]*\]\(([^)\s]+)\)/g)) {
    const [whole, quoted, linked] = held;
    found.push(...bareCandidates(bare.slice(from, held.index)), ...splitCommas(quoted ?? linked ?? ''));
    from = held.index + whole.length;
  }
  return [...found, ...bareCandidates(bare.slice(from))];
}

const bareCandidates = (text: string): string[] =>
  splitCommas(text).flatMap((part) => {
    const path = part
      .trim()
      .split(/\s+(?:[-–—:]|\(|#)/, 1)
      .join('')
      .trim();
    // One path with blanks in it: the folder comes first and only the end has an extension.
    if (!/\s/.test(path) || /^[^\s.]*\/[^\s.]*(?: [^\s./]+)* [^\s./]+\.\w{1,12}$/.test(path)) return [path];
    // A remark around a path: only words that are unmistakably paths count. Quotes keep blanks together.
    const held = /^(["'])(.+)\1$/.exec(path);
    return held?.[2] ? [held[2]] : path.split(/\s+/).filter((word) => word.includes('/'));
  });

/** Commas within braces belong to a glob. */
const splitCommas = (text: string): string[] => text.split(/[,;](?![^{]*\})/);

function cleanPath(candidate: string): string | undefined {
  const path = candidate
    .trim()
    .replace(/^["'<(]+|["'>)]+$/g, '')
    .replace(/^(\*\*|__?)(.+)\1$/, '$2')
    .replace(/(?:#L?\d+(?:-L?\d+)?|:\d+(?::\d+)?(?:-\d+)?)$/, '')
    .replace(/[.,;:]+$/, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
  if (path === '' || path.length > 1024 || /[\0-\x1f<>|"]/.test(path)) return undefined;
  if (path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.split('/').includes('..'))
    return undefined;
  const looksLikeOne =
    path.includes('/') || /(?:^|[^.])\.[A-Za-z0-9_-]{1,12}$/.test(path) || named.test(path);
  return looksLikeOne && /[\p{L}\p{N}]/u.test(path) ? path : undefined;
}

/** Area knowledge about the files in the Context Files section of a task. */
export async function taskContext(
  stores: { work: Work; areas: Areas },
  task: TaskRecord,
): Promise<PathContext | undefined> {
  if (!task.projectId) return undefined;
  const sections = await stores.work.querySections({
    entityType: 'TASK',
    entityId: task.id,
    includeContent: true,
  });
  const files = sections.filter((section) => section.title.toLowerCase().includes(contextFilesTitle));
  if (files.length === 0) return undefined;
  const paths = extractPaths(files.map((section) => section.content ?? '').join('\n'));
  return stores.areas.pathContext({ projectId: task.projectId, paths, changelogLimit: 5 });
}

/** Shown when a task is finished. A reminder; nothing enforces it. */
export const graphHints = {
  message: 'Task completed. Consider updating the knowledge graph.',
  suggestedActions: [
    'Update atom knowledge for areas affected by this task',
    'Update atom paths if files were moved or new directories created',
    'Append changelog entries for significant changes',
  ],
};
