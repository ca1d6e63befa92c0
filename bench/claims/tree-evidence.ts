import type { Git } from '../../src/base/git/index.ts';
import { isParsed, type Language, languageOf, outline } from '../../src/base/syntax/index.ts';
import { createCodeEvidence } from '../../src/engines/claims/code-evidence.ts';
import type { CodeEvidence } from '../../src/engines/claims/evidence.ts';
import { createDependencyShelf } from '../../src/stores/conventions/dependencies/query.ts';
import { treeFiles } from '../../src/stores/conventions/index.ts';

/** What the product knows of the code, for any tree: the same manifests and the same parser, without an index. */
export function treeEvidence(git: Git, tree: string, patienceMs = 60_000): CodeEvidence {
  const files = treeFiles(git, tree);
  return createCodeEvidence({
    files,
    git,
    revision: tree,
    // A lab waits: its figures must not depend on how busy the machine is.
    patienceMs,
    dependencies: createDependencyShelf(files).declared,
    definitions: async (name) => {
      if (!/^[\w$]+$/.test(name)) return [];
      const found = [];
      for (const path of (await files.holding([name])).slice(0, 60)) {
        const language = languageOf(path);
        if (!language || !isParsed(language)) continue;
        const text = (await files.read(path)) ?? '';
        for (const each of await definitionsIn(text.slice(0, 400_000), language))
          if (each.name === name && !isLocal(each.kind, each.parent))
            found.push({
              ref: `symbol:${path}#${each.qualified}`,
              path,
              line: each.line,
              kind: each.kind,
              signature: each.signature,
              qualified: each.qualified,
            });
      }
      return found;
    },
  });
}

/** A file that the parser gives up on, on a busy machine or because of what it holds, defines nothing here. */
const definitionsIn = (text: string, language: Language) => outline(text, language).catch(() => []);

const isLocal = (kind: string, parent: number): boolean => kind === 'variable' && parent >= 0;
