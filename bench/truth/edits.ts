import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomNumbers, shuffled } from '../random.ts';
import type { Product } from './product.ts';
import { git } from './programs.ts';

const isScript = /\.(?:[jt]sx?|mjs)$/;
const exportedFunction = /^export (?:async )?function (\w+)\(/m;

/** Edits as people make them, one at a time, each indexed before the next: lines move, calls come and go, files come. */
export async function editTree(product: Product, count: number, seed: number): Promise<void> {
  const { root } = product;
  const random = randomNumbers(seed);
  const scripts = git(root, 'ls-files')
    .split('\n')
    .filter((path) => isScript.test(path) && !path.endsWith('.d.ts'));
  const exporting = shuffled(
    scripts.filter((path) => exportedFunction.test(readFileSync(join(root, path), 'utf8'))),
    random,
  );
  for (let done = 0; done < count; done++) {
    const path = exporting[done % exporting.length] ?? '';
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const name = exportedFunction.exec(text)?.[1] ?? '';
    if (done % 4 === 0) writeFileSync(file, `// One.\n// Two.\n// Three.\n${text}`);
    else if (done % 4 === 1)
      writeFileSync(file, `${text}\nexport function added${done}() {\n  return ${name}();\n}\n`);
    else if (done % 4 === 2)
      writeFileSync(
        join(root, dirname(path), `added-${done}.ts`),
        `import { ${name} as renamed } from './${basename(path)}';\n\nexport const again${done} = () => renamed();\n`,
      );
    else writeFileSync(file, text.replace(new RegExp(`^\\s+${name}\\(.*\\);$`, 'm'), ''));
    await product.call('index_repository', { only: 'code' });
  }
  // The judge reads what git tracks.
  execFileSync('git', ['-C', root, 'add', '-A']);
}
