import { createHash } from 'node:crypto';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { splitWords, stem } from '../base/text/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { World } from '../engines/recall/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import type { History } from '../stores/history/index.ts';
import type { Domain, Passages } from '../stores/passages/index.ts';
import type { References } from '../stores/references/index.ts';

export interface AnswerWorldParts {
  repository: Repository;
  git: Git;
  code: CodeStore;
  passages: Passages;
  history: () => Promise<History>;
  library: () => Promise<Library>;
  memory: () => Promise<Memory>;
  graph: () => Promise<Graph>;
  references: () => Promise<References>;
}

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);

/** Things whose text recall has read, by the kind of their refs. */
const domainOfKind: Record<string, Domain> = {
  entry: 'chronicle',
  task: 'work',
  atom: 'areas',
  skill: 'skills',
};

/** What kept answers rest on, as the stores have it at this moment, in this working tree. */
export function answerWorld(parts: AnswerWorldParts): World {
  const { repository, git, code } = parts;
  const reached = new Map<string, boolean>();
  const head = async () => (await (await parts.history()).freshness()).head ?? '';
  const whose = (viewer: { session: string; seesAll: boolean }) =>
    viewer.seesAll ? undefined : viewer.session;

  const versions: Record<string, (session: string | undefined) => Promise<string>> = {
    visibility: async (session) => (await parts.memory()).chronicle.visibilityVersion(session),
    activity: async (session) => {
      const { chronicle, sessions } = await parts.memory();
      return [await chronicle.activityMark(session), await sessions.mark(session), await head()].join(' ');
    },
    session: async (session) => {
      const { chronicle, sessions } = await parts.memory();
      return [await chronicle.activityMark(session), await sessions.mark(session)].join(' ');
    },
    results: async () => String(await (await parts.library()).journal.latest()),
    shelf: async () => digest(await (await parts.references()).list({ obsolete: true })),
  };

  return {
    generation: () => String(code.generation()),
    files: code.contents,
    directory: (path) => digest(code.namesIn(path === '.' ? '' : path)),
    places: (subject) => digest(placesOf(code, subject)),
    refs: async (refs) => {
      const graph = await parts.graph();
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
            domain ? (parts.passages.hashOf(domain, id) ?? '') : '',
            nodes.get(ref)?.archived_at ?? '',
            verified.get(ref) ?? '',
            successors.get(ref) ?? '',
            conflicts.filter(({ left, right }) => left === ref || right === ref).map((each) => each.id),
          ];
          return [ref, digest(said)];
        }),
      );
    },
    version: (name, viewer) => versions[name]!(whose(viewer)),
    head,
    reaches: async (commit) => {
      const key = `${commit} ${await head()}`;
      const known = reached.get(key);
      if (known !== undefined) return known;
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
