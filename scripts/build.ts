// Bundles the sources into dist/ for the installed package: the start file, what programs import, the programs that
// run in threads and processes of their own, and the parts they load when needed. All lie in one folder, because the
// sources find their neighbours by `new URL('./name', import.meta.url)`. Run by `npm pack`.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

/** Loaded before the compile cache is on, which keeps no module that was loaded earlier. */
const neededFirst = [
  /^version\.ts$/,
  /^\.\.\/package\.json$/,
  /^base\/(?:lost-output|user-directory)\.ts$/,
  /^base\/files\//,
];
const neededByEveryCommand = [
  /^base\/(?:config|git|process|sqlite|text)\//,
  /^base\/[^/]+\.ts$/,
  /^surfaces\/cli\/(?:index|command|commands|run-command|input-flags|global-flags|verbs|io|help|progress-bar)\.ts$/,
  /^operations\/(?:(?:list|run|calls|resolve|spellings|operation)\.(?:ts|json)$|nouns\/)/,
  /^(?:app|config)\.ts$/,
  /^app\//,
];
const neededBySearch = [
  /^stores\/(?:history|passages)\//,
  /^engines\/(?:recall|indexing)\//,
  /^base\/(?:vectors|embedding|chunk)\/(?!.*-worker\.ts$)/,
  /^operations\/recall\/(?!answer|ask|cache)/,
];
const within = (patterns: RegExp[]) => (module: string) => {
  const path = relative(join(root, 'src'), module).replaceAll(sep, '/');
  return patterns.some((pattern) => pattern.test(path));
};

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: join(root, 'src/main.ts'),
    sdk: join(root, 'src/sdk.ts'),
    'embedding-worker': join(root, 'src/base/embedding/embedding-worker.ts'),
    'compact-worker': join(root, 'src/base/vectors/compact-worker.ts'),
    'parse-worker': join(root, 'src/stores/code/parse-worker.ts'),
    'typescript-worker': join(root, 'src/stores/code/compiler/typescript-worker.ts'),
  },
  platform: 'node',
  // The module of a package before its older form, whose own `require` a bundle cannot follow.
  resolve: { mainFields: ['module', 'main'] },
  cwd: root,
  // Packages with native parts, data files or workers stay packages; the rest is bundled so that a start reads few files.
  external: [
    /^node:/,
    'usearch',
    'onnxruntime-node',
    'web-tree-sitter',
    'typescript-5',
    /^@lat\.md\//,
    /^@vscode\//,
    /^gpt-tokenizer/,
    'linkedom',
    '@mozilla/readability',
    'turndown',
    'turndown-plugin-gfm',
  ],
});
await bundle.write({
  dir: out,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: 'dce-only',
  // Finding many small files costs a start more than reading a large one.
  codeSplitting: {
    groups: [
      { name: 'first', test: within(neededFirst), priority: 1 },
      { name: 'zod', test: /node_modules[\\/]zod[\\/]/ },
      { name: 'start', test: within(neededByEveryCommand) },
      { name: 'search', test: within(neededBySearch) },
    ],
  },
});
await bundle.close();
cpSync(join(root, 'src/base/embedding/static-map.bin'), join(out, 'static-map.bin'));
cpSync(join(root, 'src/engines/answers/reader/learned.bin'), join(out, 'learned.bin'));
cpSync(join(root, 'src/base/syntax/queries'), join(out, 'queries'), { recursive: true });
const dataFolders = [
  'src/stores/conventions/data',
  'src/engines/clients/data',
  'src/engines/inspection/data',
  'src/base/reports/data',
];
for (const folder of dataFolders) cpSync(join(root, folder), join(out, 'data'), { recursive: true });
if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(out, 'web'), { recursive: true });
