/** Imports point one way: main → surfaces → operations → app → config → engines → stores → base. */
const below = (from, to, comment) => ({
  name: `${from.name}-stays-low`,
  comment,
  severity: 'error',
  from: { path: from.path },
  to,
});

/** An engine imports engines of lower rows, never one of its own row or above. */
const engines = [
  ['indexing', 'clients', 'doctor', 'git-hooks', 'library-copies'],
  ['worktrees'],
  ['recall'],
  ['claims'],
  ['knowledge'],
  ['work-areas'],
  ['memory'],
  ['answers'],
  ['neighbourhood'],
  ['guide'],
  ['inspection'],
  ['agents'],
  ['execution'],
  ['orchestrator'],
  ['pipelines'],
];
const engineOrder = engines.flatMap((row, rank) =>
  row.map((engine) => ({
    name: `engine-order-${engine}`,
    comment: `${engine} imports engines below it only`,
    severity: 'error',
    from: { path: `^src/engines/${engine}/` },
    to: {
      path: '^src/engines/',
      pathNot: [engine, ...engines.slice(0, rank).flat()].map((name) => `^src/engines/${name}/`),
    },
  })),
);

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    below(
      { name: 'base', path: '^src/base/' },
      { path: '^src/(?!base/)' },
      'base has no product noun and knows nothing of ours',
    ),
    below(
      { name: 'stores', path: '^src/stores/' },
      { path: '^src/(?!base/|stores/)' },
      'a store knows base only',
    ),
    {
      name: 'stores-are-strangers',
      severity: 'error',
      from: { path: '^src/stores/([^/]+)/' },
      to: { path: '^src/stores/', pathNot: '^src/stores/$1/' },
    },
    below(
      { name: 'engines', path: '^src/engines/' },
      { path: '^src/(?!base/|stores/|engines/)' },
      'an engine knows stores, base, and engines below it',
    ),
    ...engineOrder,
    {
      name: 'engine-without-a-place',
      comment: 'a new engine gets a row in the order above',
      severity: 'error',
      from: { path: '^src/engines/', pathNot: engines.flat().map((name) => `^src/engines/${name}/`) },
      to: { path: '^src/' },
    },
    below(
      { name: 'config', path: '^src/config\\.ts$' },
      { path: '^src/(?!base/|stores/|engines/)' },
      'config knows what it configures',
    ),
    below(
      { name: 'app', path: '^src/app' },
      { path: '^src/(surfaces|operations|main)' },
      'app is below operations',
    ),
    below(
      { name: 'operations', path: '^src/operations/' },
      { path: '^src/(surfaces/|main)' },
      'operations do not know who offers them',
    ),
    {
      name: 'surfaces-know-operations',
      comment: 'a surface turns operations into something a person or a client can use',
      severity: 'error',
      from: { path: '^src/surfaces/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(stores|engines)/' },
    },
    {
      name: 'surfaces-are-strangers',
      severity: 'error',
      comment: 'they share code in shared/; one serves another only through its index',
      from: { path: '^src/surfaces/([^/]+)/' },
      to: { path: '^src/surfaces/', pathNot: ['^src/surfaces/$1/', '^src/surfaces/shared/', '/index\\.ts$'] },
    },
    {
      name: 'enter-by-index',
      comment: 'a folder of base, stores or engines is entered through its index.ts',
      severity: 'error',
      from: { path: '^src/([^/]+/[^/]+)', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(?:base|stores|engines)/[^/]+/',
        pathNot: ['^src/$1/', '/index\\.ts$', '/worker\\.ts$'],
      },
    },
    {
      name: 'enter-by-index-from-the-top',
      severity: 'error',
      from: { path: '^src/[^/]+$' },
      to: { path: '^src/(?:base|stores|engines)/[^/]+/', pathNot: ['/index\\.ts$', '/worker\\.ts$'] },
    },
    {
      name: 'no-orphan-tests-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^tests/|\\.test\\.ts$' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|dist|web)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};
