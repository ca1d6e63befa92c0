/** Sources of a commit's tags; each may return nothing. */
export interface CommitTagSources {
  /** Components of a manifest in the repository; undefined when there is none. */
  manifest(): Array<{ name: string; paths: string[] }> | undefined;
  /** Names of the areas that contain a path. */
  areas?(paths: string[]): Promise<string[]>;
  /** Tags of the current task. */
  task?(): Promise<string[]>;
}

const most = 8;

/** Tags for a commit of these files: every component level that holds one of them, then the task's own tags, each as one word. */
export async function suggestCommitTags(paths: string[], sources: CommitTagSources): Promise<string[]> {
  const components = sources.manifest();
  const named = components ? componentsOf(components, paths) : ((await sources.areas?.(paths)) ?? []);
  const tags = [...named, ...((await sources.task?.()) ?? [])]
    .map((tag) =>
      tag
        .toLowerCase()
        .replace(/[^\p{L}\p{N}._/]+/gu, '-')
        .replace(/^[-./]+|[-./]+$/g, ''),
    )
    .filter(Boolean);
  return [...new Set(tags)].slice(0, most);
}

function componentsOf(components: Array<{ name: string; paths: string[] }>, files: string[]): string[] {
  const folder = (path: string) => path.replace(/^\.\//, '').replace(/\/*(?:\*\*)?\/*$/, '');
  const holds = (path: string, file: string) => path === '' || file === path || file.startsWith(`${path}/`);
  return components
    .map(({ name, paths }) => ({ name, paths: paths.map(folder) }))
    .filter(({ paths }) => paths.some((path) => files.some((file) => holds(path, file))))
    .sort(
      (a, b) =>
        Math.min(...a.paths.map((path) => path.length)) - Math.min(...b.paths.map((path) => path.length)),
    )
    .map(({ name }) => name);
}
