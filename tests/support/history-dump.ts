import {
  artifactSummary,
  commitWithFiles,
  type History,
  listTags,
  type Model,
  provenance,
  relatedFiles,
  searchFiles,
} from '../../src/stores/history/index.ts';

/** Everything the index can answer, without anything that depends on when rows were written. */
export function dumpHistory(history: History, model: Model) {
  const commits: unknown[] = [];
  const places = [...model.view.positions.entries()]
    .filter(([, place]) => place >= 0)
    .sort((a, b) => a[1] - b[1]);
  for (const [id] of places) commits.push(commitWithFiles(model, id));
  const artifacts = model.all().map((path) => ({
    ...artifactSummary(model, path),
    alive: model.isAlive(path),
    home: model.name(model.home(path)),
    words: model.sizes().words[model.home(path)],
    story: provenance(model, path, { skip: 0, take: 100_000 }),
    related: relatedFiles(history, model, path, { guesses: 5 }).map(({ path: _, ...row }) => row),
  }));
  const searches = ['fix session', 'rename auth view', 'tags', 'lib core', 'loginForm'].map((query) =>
    searchFiles(model, query).map(({ path, score }) => [model.name(path), Number(score.toFixed(9))]),
  );
  return { commits, artifacts, tags: listTags(model), searches };
}
