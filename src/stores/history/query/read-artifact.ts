import { requireRevision } from '../../../base/git/index.ts';
import type { ContentReader } from '../git/content.ts';
import { pathBytes } from '../path-name.ts';
import { artifactSummary } from './artifacts.ts';
import type { HistoryView } from './history-view.ts';
import { commitRecord } from './provenance.ts';

const newestCommits = 5;

/** A file's content at a commit, with its tags and newest commits. Lines keep their endings. */
export async function readArtifact(
  { content }: { content: ContentReader },
  view: HistoryView,
  path: number,
  ref = 'HEAD',
) {
  requireRevision(ref);
  const summary = artifactSummary(view, path);
  // An old name at HEAD means the file under its present name.
  const shown = ref === 'HEAD' && summary.moved_to ? summary.moved_to : summary.path;
  const blob = await content.read(ref, pathBytes(shown));
  const isText = blob?.kind === 'blob' && !blob.bytes.subarray(0, 8000).includes(0);
  const text = isText ? blob.bytes.toString('utf8') : '';
  const story = view.commitsOf(path);
  const commits = story.slice(-newestCommits).map((commit) => commitRecord(view, commit));
  const { last_modified: _, ...rest } = summary;
  return {
    path: summary.path,
    ref,
    content_kind: !blob ? ('absent' as const) : isText ? ('text' as const) : ('binary' as const),
    lines: text === '' ? [] : text.match(/[^\n]*\n|[^\n]+$/g)!,
    summary: {
      ...rest,
      commits,
      total_commits: story.length,
      commits_truncated: story.length > commits.length,
    },
  };
}
