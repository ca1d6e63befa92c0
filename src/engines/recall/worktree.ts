import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '../../base/git/index.ts';
import { resolveInside } from '../../base/path-jail.ts';
import type { SourceOwner } from './source.ts';

const largestFile = 1_000_000;
const notText =
  /\.(png|jpe?g|gif|ico|webp|avif|svg|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|bz2|xz|7z|jar|class|so|dylib|dll|exe|wasm|bin|db|sqlite|mp[34]|mov|webm|map|snap|pyc|onnx|npy)$/i;
const noise =
  /(^|\/)(node_modules|bower_components|vendor|third_party|dist|deno_dist|\.yarn|__snapshots__|\.sylk)\/|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock)$|[.-]min\.(js|css)$/i;
const secret =
  /(^|\/)(\.env(\.[\w.-]+)?|\.netrc|\.npmrc|\.pypirc|id_(rsa|dsa|ecdsa|ed25519)|credentials(\.json)?)$|\.(pem|key|p12|pfx|keystore)$/i;

/** Files that git tracks or would track, as they are on disk. What is unchanged keeps its hash from git. */
export async function listWorktree(git: Git, root: string): Promise<SourceOwner[]> {
  const [staged, changed] = await Promise.all([
    git.list(['ls-files', '-z', '--stage']),
    git.list(['ls-files', '-z', '--modified', '--others', '--exclude-standard']),
  ]);
  const hashes = new Map<string, string>();
  for (const line of staged) {
    const [facts, path] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
    const [mode, hash] = facts.split(' ');
    if (mode?.startsWith('100')) hashes.set(path, hash!);
  }
  for (const path of changed) {
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!found?.isFile()) hashes.delete(path);
    else hashes.set(path, `${found.size}-${found.mtimeMs}`);
  }
  return [...hashes]
    .filter(([path]) => !notText.test(path) && !noise.test(path) && !secret.test(path))
    .map(([owner, hash]) => ({ owner, hash }));
}

/** Undefined for what is gone, too large or no text. */
export function readWorktreeFile(root: string, path: string): string | undefined {
  try {
    const file = resolveInside(root, path);
    if (statSync(file).size > largestFile) return undefined;
    const bytes = readFileSync(file);
    return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/** Lines that contain a text letter by letter. */
export async function grepWorktree(
  git: Git,
  text: string,
  limit: number,
): Promise<Array<{ path: string; line: number }>> {
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-F', '--untracked', '--max-count=1', '-e', text, '--', '.'],
    { accept: [1], timeoutMs: 5000, maxOutputBytes: 4_000_000 },
  );
  const found: Array<{ path: string; line: number }> = [];
  for (const row of stdout.toString('utf8').split('\n')) {
    const [path, line] = row.split('\0');
    if (path && line && !noise.test(path) && !secret.test(path)) found.push({ path, line: Number(line) });
    if (found.length >= limit) break;
  }
  return found;
}
