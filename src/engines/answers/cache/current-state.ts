import { createHash } from 'node:crypto';
import { splitWords, stem } from '../../../base/text/index.ts';
import type { CodeStore } from '../../../stores/code/index.ts';
import type { Domain, Passages } from '../../../stores/passages/index.ts';
import type { AnswersContext } from '../context.ts';
import type { CacheViewer, VersionName } from './strategies.ts';

export type CurrentState = ReturnType<typeof currentState>;

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

/** Things whose text recall has read, by the kind of their refs. */
const domainOfKind: Record<string, Domain> = {
  entry: 'chronicle',
  task: 'work',
  atom: 'areas',
  skill: 'skills',
};

/**
 * What cached answers depend on, in the working tree of whoever asks, read from the databases: what another process wrote
 * counts as much as what this one did.
 */
export function currentState(
  context: AnswersContext,
  { code, passages }: { code: CodeStore; passages: Passages },
) {
  const { repository, git } = context;
  const reached = new Map<string, boolean>();
  const head = async () => (await (await context.history()).freshness()).head ?? '';

  const versions: Record<VersionName, (session: string | undefined) => Promise<string>> = {
    visibility: async (session) => (await context.memory()).chronicle.visibilityVersion(session),
    activity: async (session) => {
      const { chronicle, sessions } = await context.memory();
      return [await chronicle.activityMark(session), await sessions.mark(session), await head()].join(' ');
    },
    session: async (session) => {
      const { chronicle, sessions } = await context.memory();
      return [await chronicle.activityMark(session), await sessions.mark(session)].join(' ');
    },
    results: async () => String(await (await context.library()).journal.latest()),
    shelf: async () => digest(await (await context.references()).list({ obsolete: true })),
  };

  return {
    /** Moves with every change of the code index. */
    generation: () => String(code.generation()),
    /** The content of files as indexed; what is not there is missing. */
    files: (paths: string[]) => code.contents(paths),
    /** One mark for the names of the files in a directory. */
    directory: (path: string) => digest(code.namesIn(path === '.' ? '' : path)),
    /** One mark for the places where something of that name is defined. */
    places: (subject: string) => digest(placesOf(code, subject)),
    /** What is known and said about cited things: content, verification, conflicts, successors. */
    refs: async (refs: string[]): Promise<Map<string, string>> => {
      const graph = await context.graph();
      const [nodes, verified, successors, conflicts] = await Promise.all([
        graph.nodesOf(refs),
        graph.verificationsOf(refs),
        graph.supersededBy(refs),
        graph.conflicts({ unresolved: true, refs }),
      ]);
      return new Map(
        refs.map((ref) => {
          const domain = domainOfKind[ref.slice(0, ref.indexOf(':'))];
          const said = [
            domain ? (passages.hashOf(domain, ref.slice(ref.indexOf(':') + 1)) ?? '') : '',
            nodes.get(ref)?.archived_at ?? '',
            verified.get(ref) ?? '',
            successors.get(ref) ?? '',
            conflicts.filter(({ left, right }) => left === ref || right === ref).map((each) => each.id),
          ];
          return [ref, digest(said)];
        }),
      );
    },
    version: (name: VersionName, { session, seesAll }: CacheViewer) =>
      versions[name](seesAll ? undefined : session),
    /** HEAD of the working tree. */
    head,
    /** Whether a commit is HEAD or one of its ancestors. */
    reaches: async (commit: string): Promise<boolean> => {
      const key = `${commit} ${await head()}`;
      const reaches = reached.get(key);
      if (reaches !== undefined) return reaches;
      const { code: exit } = await git.run(['merge-base', '--is-ancestor', commit, 'HEAD'], {
        accept: [1, 128],
      });
      if (reached.size > 500) reached.clear();
      reached.set(key, exit === 0);
      return exit === 0;
    },
    /** '' for the main working tree and for one that has nothing of its own. */
    overlay: () => (repository.linkedWorktree && code.differs() ? digest(repository.root) : ''),
  };
}

/** Where something of that name is defined: another definition is another answer to "where". */
function placesOf(code: CodeStore, subject: string): string[] {
  const wanted = splitWords(subject).map(stem);
  if (wanted.length === 0) return [];
  return code
    .search({ query: wanted.join(' '), limit: 60 })
    .filter(({ name }) => {
      const words = splitWords(name).map(stem);
      return wanted.every((word) => words.includes(word));
    })
    .map(({ ref }) => ref)
    .sort();
}
