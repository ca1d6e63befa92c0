// Bundles the sources into dist/ for the installed package: the start file, what programs import, the programs that
// run in threads and processes of their own, and the parts they load when needed. All lie in one folder, because the
// sources find their neighbours by `new URL('./name', import.meta.url)`. Run by `npm pack`; `--sdk` builds only what
// programs import, `--program DIR` only the program, into that directory.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { type InputOptions, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const { values: only } = parseArgs({ options: { sdk: { type: 'boolean' }, program: { type: 'string' } } });
const out = only.program ?? join(root, 'dist');

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

const shared: InputOptions = {
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
    '@dbos-inc/dbos-sdk',
    'linkedom',
    '@mozilla/readability',
    'turndown',
    'turndown-plugin-gfm',
  ],
};

rmSync(out, { recursive: true, force: true });
if (!only.program) await buildSdk();
if (only.sdk) process.exit(0);
const bundle = await rolldown({
  input: {
    main: join(root, 'src/main.ts'),
    'embedding-worker': join(root, 'src/base/embedding/embedding-worker.ts'),
    'compact-worker': join(root, 'src/base/vectors/compact-worker.ts'),
    'parse-worker': join(root, 'src/stores/code/parse-worker.ts'),
    'outlet-worker': join(root, 'src/base/sandbox/outlet-worker.ts'),
    'calls-worker': join(root, 'src/surfaces/tui/calls-worker.ts'),
    'typescript-worker': join(root, 'src/stores/code/compiler/typescript-worker.ts'),
  },
  ...shared,
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
  'src/engines/agents/tools/data',
  'src/engines/clients/data',
  'src/engines/inspection/data',
  'src/base/reports/data',
];
for (const folder of dataFolders) cpSync(join(root, folder), join(out, 'data'), { recursive: true });
if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(out, 'web'), { recursive: true });

/** What programs import, with its types. Apart from the program, so that a clone can build it alone. */
async function buildSdk(): Promise<void> {
  const sdk = await rolldown({ input: { sdk: join(root, 'src/sdk.ts') }, ...shared });
  await sdk.write({
    dir: out,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'sdk-[name]-[hash].js',
  });
  await sdk.close();
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const types = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.sdk.json')], {
    stdio: 'inherit',
  });
  if (types.status !== 0) process.exit(1);
}
