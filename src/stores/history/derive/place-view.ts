import type { Git } from '../../../base/git/index.ts';
import type { Facts } from '../facts.ts';
import { changeKinds } from '../git/raw-parser.ts';
import { readTree, readTreeChanges } from '../git/tree.ts';
import type { Recorder } from '../recorder.ts';
import { shaText } from '../stored.ts';
import { advanceView } from './advance.ts';
import { deriveView } from './derive.ts';
import { ancestors, replayOrder } from './order.ts';
import type { StoredView, ViewSource } from './view.ts';

export interface ViewPlace {
  source: ViewSource;
  git: Git;
  recorder: Recorder;
  worktree: string;
  current: StoredView | undefined;
  head: string | undefined;
  /** HEAD's tree, if it is already being read. */
  tree?: ReturnType<typeof readTree> | undefined;
  /** Something could not be read: the listed changes of commits may be incomplete. */
  troubled: boolean;
  signal?: AbortSignal | undefined;
}

/** Points the worktree at the view of HEAD: an existing one, an older one moved forward, or a newly derived one. */
export async function placeView(place: ViewPlace): Promise<'advanced' | 'derived'> {
  const { source, worktree, current, head } = place;
  const { sqlite } = source;
  const same = head
    ? sqlite.value<number>('SELECT id FROM views WHERE head = ?', Buffer.from(head, 'hex'))
    : undefined;
  const isOwn =
    current && !sqlite.value('SELECT 1 FROM worktrees WHERE view = ? AND name <> ?', current.id, worktree);
  const own = isOwn ? current : undefined;
  const id = same ?? own?.id ?? sqlite.value<number>('SELECT max(id) + 1 FROM views') ?? 1;
  const kind = same === undefined ? await makeView(place, id, own) : 'derived';
  sqlite.run('INSERT OR REPLACE INTO worktrees (name, view) VALUES (?, ?)', worktree, id);
  const orphans = 'SELECT id FROM views WHERE id NOT IN (SELECT view FROM worktrees)';
  for (const orphan of sqlite.column<number>(orphans)) {
    for (const table of ['lineages', 'tags']) sqlite.run(`DELETE FROM ${table} WHERE view = ?`, orphan);
    sqlite.run('DELETE FROM views WHERE id = ?', orphan);
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
  const fresh = own?.head ? commitsOnTop(source, own, headId) : undefined;
  if (head && own?.head && fresh) {
    const before = shaText(own.head);
    const readChanges = async () => {
      const { appeared, vanished } = await readTreeChanges(git, before, head, signal);
      return { appeared: pathIds(appeared), vanished: pathIds(vanished) };
    };
    const told = troubled || recorder.gitlinks > 0 ? undefined : changesOfChain(source.facts, fresh);
    const changes = told ?? (await readChanges());
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

/** Consecutive commits list additions and deletions themselves; a merge among them does not. `fresh` has parents first. */
function changesOfChain(facts: Facts, fresh: Int32Array) {
  const appeared = new Set<number>();
  const vanished = new Set<number>();
  const move = (path: number, into: Set<number>, outOf: Set<number>) => {
    outOf.delete(path);
    into.add(path);
  };
  for (const id of fresh) {
    if (facts.parents(id).length !== 1) return undefined;
    facts.eachChange(id, (path, kind, from) => {
      if (kind === changeKinds.deleted) move(path, vanished, appeared);
      else if (kind !== changeKinds.modified) move(path, appeared, vanished);
      if (kind === changeKinds.renamed) move(from, vanished, appeared);
    });
    // A name removed and added again in one commit exists.
    facts.eachChange(id, (path, kind) => {
      if (kind !== changeKinds.deleted) move(path, appeared, vanished);
    });
  }
  return { appeared: [...appeared], vanished: [...vanished] };
}

/** The new commits since `view`, parents first, if each of them descends from its head: then the order only grows. */
function commitsOnTop({ facts, shaOf }: ViewSource, view: StoredView, head: number): Int32Array | undefined {
  const fresh = replayOrder(
    facts,
    ancestors(facts, head, (id) => view.place(id) >= 0),
    shaOf,
  );
  const descending = new Set<number>();
  for (const id of fresh) {
    const isOnTop = (parent: number) => view.place(parent) === view.commits - 1 || descending.has(parent);
    if (!facts.parents(id).some(isOnTop)) return undefined;
    descending.add(id);
  }
  return fresh.length > 0 ? fresh : undefined;
}
