import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { randomNumbers, shuffled } from '../random.ts';
import type { Product } from './product.ts';
import { git } from './programs.ts';

/** How edits are written in a language. */
interface Hand {
  isOurs: RegExp;
  /** A function that other files can use. */
  exported: RegExp;
  comment: string;
  added(name: string, at: number): string;
  /** A file beside another that uses a function of it under another name. */
  user(root: string, path: string, name: string, at: number): { path: string; text: string };
  /** A line that only calls it, and what stands there instead. */
  call(name: string): RegExp;
  instead: string;
}

const hands: Hand[] = [
  {
    isOurs: /(?<!\.d)\.(?:[jt]sx?|mjs)$/,
    exported: /^export (?:async )?function (\w+)\(/m,
    comment: '//',
    added: (name, at) => `\nexport function added${at}() {\n  return ${name}();\n}\n`,
    user: (_root, path, name, at) => ({
      path: join(dirname(path), `added-${at}.ts`),
      text: `import { ${name} as renamed } from './${basename(path)}';\n\nexport const again${at} = () => renamed();\n`,
    }),
    call: (name) => new RegExp(`^\\s+${name}\\(.*\\);$`, 'm'),
    instead: '',
  },
  {
    isOurs: /\.py$/,
    exported: /^(?:async )?def ([a-z]\w*)\(/m,
    comment: '#',
    added: (name, at) => `\n\ndef added${at}():\n    return ${name}()\n`,
    user: (root, path, name, at) => {
      const isPackage = existsSync(join(root, dirname(path), '__init__.py'));
      const module = `${isPackage ? '.' : ''}${basename(path, extname(path))}`;
      return {
        path: join(dirname(path), `added_${at}.py`),
        text: `from ${module} import ${name} as renamed\n\n\ndef again${at}():\n    return renamed()\n`,
      };
    },
    call: (name) => new RegExp(`(?<=^[ \\t]+)${name}\\(.*\\)$`, 'm'),
    instead: 'pass',
  },
];

/** Edits as people make them, one at a time, each indexed before the next: lines move, calls come and go, files come. */
export async function editTree(product: Product, count: number, seed: number): Promise<void> {
  const { root } = product;
  const random = randomNumbers(seed);
  const files = git(root, 'ls-files').split('\n');
  const ours = ({ isOurs }: Hand) => files.filter((path) => isOurs.test(path));
  const [hand] = hands.toSorted((a, b) => ours(b).length - ours(a).length);
  if (!hand) return;
  const exporting = shuffled(
    ours(hand).filter((path) => hand.exported.test(readFileSync(join(root, path), 'utf8'))),
    random,
  );
  for (let done = 0; done < count; done++) {
    const path = exporting[done % exporting.length] ?? '';
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const name = hand.exported.exec(text)?.[1] ?? '';
    const { comment } = hand;
    if (done % 4 === 0) writeFileSync(file, `${comment} One.\n${comment} Two.\n${comment} Three.\n${text}`);
    else if (done % 4 === 1) writeFileSync(file, `${text}${hand.added(name, done)}`);
    else if (done % 4 === 2) {
      const user = hand.user(root, path, name, done);
      writeFileSync(join(root, user.path), user.text);
    } else writeFileSync(file, text.replace(hand.call(name), hand.instead));
    await product.call('index_repository', { only: 'code' });
  }
  // The judge reads what git tracks.
  execFileSync('git', ['-C', root, 'add', '-A']);
}
