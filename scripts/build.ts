// Bundles the sources into dist/ for the installed package: the start file, what programs import, the programs that
// run in threads and processes of their own, and the parts they load when needed. All lie in one folder, because the
// sources find their neighbours by `new URL('./name', import.meta.url)`. Run by `npm pack`.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: join(root, 'src/main.ts'),
    sdk: join(root, 'src/sdk.ts'),
    'embedding-worker': join(root, 'src/base/embedding/embedding-worker.ts'),
    'compact-worker': join(root, 'src/base/vectors/compact-worker.ts'),
    'parse-worker': join(root, 'src/stores/code/parse-worker.ts'),
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
});
await bundle.close();
cpSync(join(root, 'src/base/embedding/static-map.bin'), join(out, 'static-map.bin'));
if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(out, 'web'), { recursive: true });
