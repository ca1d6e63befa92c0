import { tree } from '../../base/files/index.ts';
import { ignoreRules } from '../../base/glob/index.ts';
import { redact } from '../../base/redact.ts';

const mostBytes = 1_000_000;
const privateName =
  /(?:^|\/)\.env(?:\.local|\.prod\w*)?$|\.(?:pem|key|p12|pfx|jks)$|(?:^|\/)\.(?:npmrc|netrc|pypirc)$/i;

/**
 * Of the ignored files that `.worktreeinclude` names, those that agents get: a model sees what is in their trees, so a file with
 * something that looks like a secret, or that is named like one, comes only where the person's own settings name it.
 */
export function includedForAgents(root: string, files: string[], named: string[]): string[] {
  const isNamed = ignoreRules(named);
  return files.filter((path) => {
    if (tree.entry(root, path)?.kind !== 'file') return false;
    if (isNamed(path)) return true;
    if (privateName.test(path)) return false;
    const text = tree.readText(root, path, { limit: mostBytes });
    return text !== undefined && redact(text) === text;
  });
}
