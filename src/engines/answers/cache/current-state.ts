import { createHash } from 'node:crypto';
import { splitWords, stem } from '../../../base/text/index.ts';
import type { CodeStore } from '../../../stores/code/index.ts';
import type { Domain, Passages } from '../../../stores/passages/index.ts';
import type { AnswersContext } from '../context.ts';
import type { CurrentState } from './parts.ts';
import type { VersionName } from './strategies.ts';

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

/** Things whose text recall has read, by the kind of their refs. */
const domainOfKind: Record<string, Domain> = {
  entry: 'chronicle',
  task: 'work',
  atom: 'areas',
  skill: 'skills',
};

/** What cached answers depend on, as the stores have it at this moment in this working tree. */
export function currentState(
  context: Omit<AnswersContext, 'cache'>,
  { code, passages }: { code: CodeStore; passages: Passages },
): CurrentState {
  const { repository, git } = context;
  const reached = new Map<string, boolean>();
  const head = async () => (await (await context.history()).freshness()).head ?? '';
  const sessionOf = (viewer: { session: string; seesAll: boolean }) =>
    viewer.seesAll ? undefined : viewer.session;

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
    generation: () => String(code.generation()),
    files: code.contents,
    directory: (path) => digest(code.namesIn(path === '.' ? '' : path)),
    places: (subject) => digest(placesOf(code, subject)),
    refs: async (refs) => {
      const graph = await context.graph();
      const [nodes, verified, successors, conflicts] = await Promise.all([
        graph.nodesOf(refs),
        graph.verificationsOf(refs),
        graph.supersededBy(refs),
        graph.conflicts({ unresolved: true, refs }),
      ]);
      return new Map(
        refs.map((ref) => {
          const [kind, id] = [ref.slice(0, ref.indexOf(':')), ref.slice(ref.indexOf(':') + 1)];
          const domain = domainOfKind[kind];
          const said = [
            domain ? (passages.hashOf(domain, id) ?? '') : '',
            nodes.get(ref)?.archived_at ?? '',
            verified.get(ref) ?? '',
            successors.get(ref) ?? '',
            conflicts.filter(({ left, right }) => left === ref || right === ref).map((each) => each.id),
          ];
          return [ref, digest(said)];
        }),
      );
    },
    version: (name, viewer) => versions[name](sessionOf(viewer)),
    head,
    reaches: async (commit) => {
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
