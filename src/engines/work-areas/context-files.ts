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

function candidates(line: string): string[] {
  const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  if (quoted.length > 0) return quoted;
  const linked = [...line.matchAll(/\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, text = '']) => text);
  if (linked.length > 0) return linked;
  const bare = line.replace(/^(?:[-*+•]\s+|\d+[.)]\s+|\[[ xX]\]\s+)+/, '');
  return splitCommas(bare).flatMap((part) => {
    const path = part
      .trim()
      .split(/\s+(?:[-–—:]|\(|#)/, 1)
      .join('')
      .trim();
    if (!/\s/.test(path)) return [path];
    // A remark around a path: only unmistakable paths count. Quotes keep spaces together.
    const held = /^(["'])(.+)\1$/.exec(path);
    return held?.[2] ? [held[2]] : path.split(/\s+/).filter((word) => word.includes('/'));
  });
}

/** Commas within braces belong to a glob. */
const splitCommas = (text: string): string[] => text.split(/[,;](?![^{]*\})/);

function cleanPath(candidate: string): string | undefined {
  const path = candidate
    .trim()
    .replace(/^["'<(]+|["'>)]+$/g, '')
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
