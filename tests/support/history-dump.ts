import {
  artifactSummary,
  commitWithFiles,
  fileSignals,
  type History,
  type HistoryView,
  listTags,
  provenance,
  relatedFiles,
} from '../../src/stores/history/index.ts';

/** Everything the index can answer, without anything that depends on when rows were written. */
export function dumpHistory(history: History, view: HistoryView) {
  const commits: unknown[] = [];
  const places = [...view.stored.positions.entries()]
    .filter(([, place]) => place >= 0)
    .sort((a, b) => a[1] - b[1]);
  for (const [id] of places) commits.push(commitWithFiles(view, id));
  const artifacts = view.all().map((path) => ({
    ...artifactSummary(view, path),
    alive: view.isAlive(path),
    home: view.name(view.currentPath(path)),
    words: view.sizes().words[view.currentPath(path)],
    story: provenance(view, path, { skip: 0, take: 100_000 }),
    related: relatedFiles(history, view, path, { guesses: 5 }).map(({ path: _, ...row }) => row),
  }));
  const searches = ['fix session', 'rename auth view', 'tags', 'lib core', 'loginForm'].map((query) =>
    fileSignals(view, query)
      .map(
        ({ path, signals }) =>
          `${view.name(path)} ${Object.values(signals).map((value) => Number(value).toFixed(9))}`,
      )
      .sort(),
  );
  return { commits, artifacts, tags: listTags(view), searches };
}
