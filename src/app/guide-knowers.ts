import { tree } from '../base/files/index.ts';
import type { Git } from '../base/git/index.ts';
import { refOf } from '../base/ref.ts';
import type { Answer, AskOptions } from '../engines/answers/index.ts';
import {
  type ArchivalistParts,
  type AskRepository,
  answerByStructure,
  createAcademic,
  createArchivalist,
  createLibrarian,
  type Found,
  type Knower,
  type KnowerAnswer,
  type KnowerQuestion,
  type LookedUp,
} from '../engines/guide/knowers/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { Entry } from '../stores/chronicle/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { References } from '../stores/references/index.ts';
import { commitsOf, namedPath } from './guide-commits.ts';
import { structureOf } from './guide-structure.ts';
import { keptKnower } from './kept-knower.ts';
import type { KnowledgeAccessors } from './knowledge.ts';
import { relevanceOf } from './recall-sources.ts';
import type { ClassifiedQuestion } from './trust.ts';

export type KnowerName = 'librarian' | 'archivalist' | 'academic';

/** What is told by whoever searched past the resolver, with its judgement: labels, conflicts, and code that settles them. */
type JudgedAnswer = KnowerAnswer & Pick<Answer, 'citations' | 'sources' | 'conflicts' | 'segments'>;
type JudgedKnower = (question: KnowerQuestion) => Promise<JudgedAnswer>;

export interface Knowers {
  /** What needs no search, such as who calls a function; nothing where the question is of no such form. */
  lookUp(question: Pick<KnowerQuestion, 'query' | 'session'>): Promise<(LookedUp & JudgedAnswer) | undefined>;
  librarian: Knower;
  archivalist: JudgedKnower;
  academic: JudgedKnower;
}

/** Introduces the three who know to what they search: the resolver, the chronicle, commits, references. */
export function guideKnowers(parts: {
  resolver: KnowledgeAccessors['resolver'];
  intentCaches: KnowledgeAccessors['intentCaches'];
  memory: () => Promise<Memory>;
  references: () => Promise<References>;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  git: Git;
}): Knowers {
  const ask: AskRepository = async (question, { classified, ...options }) =>
    (await parts.resolver()).ask(question, given(options), classified as ClassifiedQuestion | undefined);
  /** What these two make of it is kept whole, so its parts are not. */
  const askAnew: AskRepository = async (question, { classified: _, ...options }) =>
    (await parts.resolver()).askAnew(question, given(options));
  /** Judged whenever it is told, kept or not: what was said before may have been refuted since. */
  const judge = async <Known extends KnowerAnswer>(
    known: Known,
    { query, session }: Pick<KnowerQuestion, 'query' | 'session'>,
  ): Promise<Known & JudgedAnswer> => ({
    ...known,
    ...(await (await parts.resolver()).judge(known, query, session)),
  });
  const judged =
    (knower: Knower): JudgedKnower =>
    async (question) =>
      judge(await knower(question), question);
  const entries: ArchivalistParts['entries'] = async (session, { failures, ...wanted }) => {
    const { chronicle } = await parts.memory();
    const found = await chronicle.find(
      { session_id: session, sees_all: false },
      { ...wanted, ...(failures ? { categories: ['failure', 'decision', 'insight', 'pattern'] } : {}) },
    );
    return found.map(foundEntry);
  };
  const structure = structureOf({
    ...parts,
    remembered: (text, session, limit) => entries(session, { text, limit }),
  });
  const lookUp: Knowers['lookUp'] = async (question) => {
    const known = await answerByStructure(structure, question);
    return known && judge(known, question);
  };
  const lookingUp =
    <Told extends KnowerAnswer>(knower: (question: KnowerQuestion) => Promise<Told>) =>
    async (question: KnowerQuestion) => {
      const asks = question.verb === 'recall' || question.verb === 'check';
      return (asks && !question.path && (await lookUp(question))) || knower(question);
    };
  const academic = createAcademic({ ask: askAnew, passages: passagesOf(parts.references) });
  const archivalist = createArchivalist({
    ask: askAnew,
    decisionFolders: () => decisionFolders.filter((folder) => tree.isDirectory(parts.git.directory, folder)),
    commits: (range) => commitsOf(parts.git, range),
    namedPath: (query) => namedPath(parts.git.directory, query),
    entries,
    mistakes: async (session, approach) => {
      const { chronicle, person } = await parts.memory();
      const known = [
        ...(await chronicle.mistakes.check(session, approach)),
        ...(await person.mistakes.check('', approach)),
      ];
      return known.map(({ id, pattern, error, fix }) => ({
        ref: refOf('mistake', id),
        domain: 'chronicle',
        trust: 60,
        place: pattern,
        reason: `went wrong: ${error}; instead: ${fix}`,
      }));
    },
    briefing: async (session) => {
      const memory = await parts.memory();
      const found = await memory.sessions.find(session);
      const caller = {
        kind: 'person',
        client: `${found?.metadata['client'] ?? 'person'}`,
        worktree: parts.git.directory,
      } as const;
      return (await memory.briefing(caller, 'standard', session || undefined)).text;
    },
  });
  // The resolver keeps what the Librarian answers.
  const librarian = createLibrarian({ ask });
  return {
    lookUp,
    librarian: lookingUp(librarian),
    academic: judged(keptKnower('academic', academic, parts.intentCaches)),
    archivalist: lookingUp(judged(keptKnower('archivalist', archivalist, parts.intentCaches))),
  };
}

/** Where projects keep their decision records. */
const decisionFolders = [
  'docs/decisions',
  'docs/adr',
  'docs/adrs',
  'doc/adr',
  'adr',
  'decisions',
  'docs/rfcs',
  'rfcs',
];

const given = ({
  domains,
  path,
  tokenBudget,
  thoroughness,
  signal,
}: Omit<Parameters<AskRepository>[1], 'classified'>): AskOptions => ({
  domains,
  path: path || undefined,
  tokenBudget: tokenBudget || undefined,
  thoroughness,
  signal,
});

const foundEntry = (entry: Entry) => ({
  ref: refOf('entry', entry.id),
  domain: 'chronicle',
  place: entry.title,
  reason: `${entry.category}, ${entry.created_at.slice(0, 10)}${entry.resolution ? `; solved: ${entry.resolution}` : ''}`,
  trust: 60,
  snippet: entry.content.slice(0, 400),
  at: Date.parse(entry.created_at),
});

const passagesOf =
  (references: () => Promise<References>) =>
  async (question: string, limit: number): Promise<Found[]> =>
    (await (await references()).search({ question, limit })).map((hit) => ({
      ref: refOf('topic', hit.topic_id),
      domain: 'references',
      place: `${hit.topic} › ${hit.heading || hit.file}`,
      reason: hit.url ?? `${hit.topic_id}/${hit.file}:${hit.start_line}`,
      trust: hit.trust,
      relevance: relevanceOf(hit, question),
      snippet: hit.text.slice(0, 400),
      updated: hit.fetched_at,
    }));
