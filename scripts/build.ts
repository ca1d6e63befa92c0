// Bundles the sources into dist/ for the installed package: one start file and lazily loaded parts. Run by `npm pack`.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');

rmSync(out, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: join(root, 'src/main.ts') },
  platform: 'node',
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
  chunkFileNames: 'parts/[name]-[hash].js',
  minify: 'dce-only',
});
await bundle.close();
for (const [from, to] of [['web/dist', 'web']] as const) {
  if (existsSync(join(root, from))) cpSync(join(root, from), join(out, to), { recursive: true });
}
