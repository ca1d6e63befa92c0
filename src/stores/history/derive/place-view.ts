import type { Git } from '../../../base/git/index.ts';
import type { Facts } from '../facts.ts';
import { changeKinds } from '../git/raw-parser.ts';
import { readTree, readTreeChanges } from '../git/tree.ts';
import type { Recorder } from '../recorder.ts';
import { shaText } from '../stored.ts';
import { advanceView } from './advance.ts';
import { deriveView } from './derive.ts';
import { ancestors } from './order.ts';
import type { StoredView, ViewSource } from './view.ts';

export interface ViewPlace {
  source: ViewSource;
  git: Git;
  recorder: Recorder;
  worktree: string;
  current: StoredView | undefined;
  head: string | undefined;
  /** HEAD's tree, if somebody reads it already. */
  tree?: ReturnType<typeof readTree> | undefined;
  /** Something could not be read: what commits say they changed may not be all. */
  troubled: boolean;
  signal?: AbortSignal | undefined;
}

/** Points the worktree at the view of HEAD: one that is there, an older one moved forward, or one derived anew. */
export async function placeView(place: ViewPlace): Promise<'advanced' | 'derived'> {
  const { source, worktree, current, head } = place;
  const { sqlite } = source;
  const same = head
    ? sqlite.get<{ id: number }>('SELECT id FROM views WHERE head = ?', Buffer.from(head, 'hex'))
    : undefined;
  const shared = current
    ? sqlite.get('SELECT 1 AS there FROM worktrees WHERE view = ? AND name <> ?', current.id, worktree)
    : undefined;
  const own = current && !shared ? current : undefined;
  const next = () => sqlite.get<{ next: number | null }>('SELECT max(id) + 1 AS next FROM views')?.next ?? 1;
  const id = same?.id ?? own?.id ?? next();
  const kind = same ? 'derived' : await makeView(place, id, own);
  sqlite.run('INSERT OR REPLACE INTO worktrees (name, view) VALUES (?, ?)', worktree, id);
  const orphans = sqlite.all<{ id: number }>(
    'SELECT id FROM views WHERE id NOT IN (SELECT view FROM worktrees)',
  );
  for (const orphan of orphans) {
    sqlite.run('DELETE FROM lineages WHERE view = ?', orphan.id);
    sqlite.run('DELETE FROM tags WHERE view = ?', orphan.id);
    sqlite.run('DELETE FROM views WHERE id = ?', orphan.id);
  }
  return kind;
}

async function makeView(
  { source, git, recorder, head, tree, troubled, signal }: ViewPlace,
  id: number,
  own: StoredView | undefined,
): Promise<'advanced' | 'derived'> {
  const headId = head ? recorder.commitId(head) : -1;
  const pathIds = (paths: Buffer[]) => paths.map((path) => recorder.pathId(path)).filter((path) => path >= 0);
  const fresh = own?.head ? commitsOnTop(source.facts, own, headId) : undefined;
  if (fresh && own) {
    const told = troubled || recorder.gitlinks > 0 ? undefined : changesOfChain(source.facts, fresh);
    const found = told ? undefined : await readTreeChanges(git, shaText(own.head)!, head!, signal);
    const changes = told ?? { appeared: pathIds(found!.appeared), vanished: pathIds(found!.vanished) };
    recorder.finish();
    advanceView(source, own, headId, fresh, changes);
    return 'advanced';
  }
  const entries = head ? await (tree ?? readTree(git, head, signal)) : [];
  const paths = pathIds(entries.filter((entry) => !entry.gitlink).map((entry) => entry.path));
  recorder.finish();
  deriveView(source, id, headId, paths);
  return 'derived';
}

/** Commits in a row say themselves what appeared and vanished; a merge among them does not. `fresh` is newest first. */
function changesOfChain(facts: Facts, fresh: Int32Array) {
  const appeared = new Set<number>();
  const vanished = new Set<number>();
  const move = (path: number, into: Set<number>, outOf: Set<number>) => {
    outOf.delete(path);
    into.add(path);
  };
  for (const id of fresh.toReversed()) {
    if (facts.parents(id).length !== 1) return undefined;
    facts.eachChange(id, (path, kind, from) => {
      if (kind === changeKinds.deleted) move(path, vanished, appeared);
      else if (kind !== changeKinds.modified) move(path, appeared, vanished);
      if (kind === changeKinds.renamed) move(from, vanished, appeared);
    });
    // A name that was left and taken again in one commit is there.
    facts.eachChange(id, (path, kind) => {
      if (kind !== changeKinds.deleted) move(path, appeared, vanished);
    });
  }
  return { appeared: [...appeared], vanished: [...vanished] };
}

/** The commits that are new since `view`, if every one of them descends from its head: then order only grows. */
function commitsOnTop(facts: Facts, view: StoredView, head: number): Int32Array | undefined {
  const isOld = (id: number) => id < view.positions.length && view.positions[id]! >= 0;
  const fresh = ancestors(facts, head, isOld);
  if (fresh.length === 0) return undefined;
  const last = view.commits - 1;
  const isHead = (id: number) => id < view.positions.length && view.positions[id] === last;
  const inFresh = new Set(fresh);
  const verdict = new Map<number, boolean>();
  // Parents come before children in a depth-first sense; a stack keeps long histories off the call stack.
  for (const start of fresh) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1)!;
      if (verdict.has(id)) {
        stack.pop();
        continue;
      }
      const parents = facts.parents(id);
      const open = parents.filter((parent) => inFresh.has(parent) && !verdict.has(parent));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      const descends = parents.some((parent) => isHead(parent) || verdict.get(parent) === true);
      if (!descends) return undefined;
      verdict.set(id, true);
      stack.pop();
    }
  }
  return fresh;
}
