import { SylkError } from '../../base/errors.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { codeEdges, groundEdges } from '../../stores/graph/index.ts';
import { commitWithFiles, listCommits } from '../../stores/history/index.ts';
import { type Card, type Cards, entryCard } from './cards.ts';
import { type KnowledgeContext, searchCode } from './context.ts';
import { changeWords } from './entry-links.ts';
import type { Places } from './places.ts';
import type { Related, RelatedOf } from './related.ts';

export interface CodePattern {
  pattern: Card;
  /** Where it is implemented. */
  code: Card[];
  weight: number;
}

export interface Decision {
  decision: Card;
  /** What it is based on, most certain first. */
  sources: Related[];
  code: Card[];
}

export interface ChangedCode {
  code: Card;
  change: 'modified' | 'created' | 'deleted' | 'mentioned';
  at: string;
  by: Card[];
}

export interface KnownIssue {
  issue: Card;
  fixed: boolean;
  /** Itself, or its file. */
  about: string;
}

export type Questions = ReturnType<typeof createQuestions>;

/** Questions across code, history and references. Links and indexes answer them; no model is called. */
export function createQuestions(
  context: KnowledgeContext,
  { places, cards, relatedOf }: { places: Places; cards: Cards; relatedOf: RelatedOf },
) {
  const { chronicle, code } = context;

  /** The code in question: a ref or a name as given, otherwise the files about the words. */
  const codeMeant = async (subject: string, limit: number, path?: string): Promise<string[]> => {
    const store = await code();
    const exact = /[/.#:_]|\p{Ll}\p{Lu}/u.test(subject) ? store.find(subject) : [];
    if (exact.length > 0) return exact.slice(0, 5).map(({ ref }) => ref);
    const named = store
      .files()
      .filter((file) => (!path || file.path.includes(path)) && speaksOf(file.path, subject));
    const found = await searchCode(context, subject, { limit, path });
    return [
      ...new Set([...named.slice(0, 200).map((file) => fileRef(file.path)), ...found.map(({ ref }) => ref)]),
    ];
  };

  /** "What patterns does our auth code implement?" */
  const patternsOf = async (
    viewer: Viewer,
    request: { subject: string; path?: string | undefined; limit?: number | undefined },
  ): Promise<CodePattern[]> => {
    const refs = await codeMeant(request.subject, 30, request.path);
    const related = await relatedOf(viewer, refs, {
      types: ['implements_pattern'],
      direction: 'out',
      within: true,
    });
    const groups = new Map<string, CodePattern>();
    const places = await cards.of(viewer, [...new Set(related.map(({ about }) => about))]);
    for (const { card, about, weight } of related) {
      const group = groups.get(card.ref) ?? { pattern: card, code: [], weight: 0 };
      const place = places.get(about);
      if (place) group.code.push(place);
      groups.set(card.ref, { ...group, weight: Math.max(group.weight, weight) });
    }
    return [...groups.values()]
      .sort((a, b) => b.code.length * b.weight - a.code.length * a.weight)
      .slice(0, request.limit ?? 10);
  };

  /** "Why did we choose JWT over sessions?" */
  const decisionsAbout = async (
    viewer: Viewer,
    request: {
      subject: string;
      since?: number | undefined;
      until?: number | undefined;
      limit?: number | undefined;
    },
  ): Promise<Decision[]> => {
    const found = await chronicle.find(viewer, {
      text: request.subject,
      since: request.since,
      until: request.until,
      categories: ['decision'],
      // What held at another time may have been replaced since; what holds now has not.
      include_superseded: request.since !== undefined || request.until !== undefined,
      limit: request.limit ?? 3,
    });
    return Promise.all(
      found.map(async (entry) => {
        const ref = refOf('entry', entry.id);
        const linked = await relatedOf(viewer, [ref], { direction: 'out' });
        return {
          decision: entryCard(entry),
          sources: linked.filter(({ type }) => groundEdges.some((edge) => edge === type)),
          code: linked.filter(({ card }) => card.side === 'code').map(({ card }) => card),
        };
      }),
    );
  };

  /** "What changes did we make to auth code last week?" */
  const changedCode = async (
    viewer: Viewer,
    request: { subject: string; since: number; until?: number | undefined; limit?: number | undefined },
  ): Promise<ChangedCode[]> => {
    const { subject, since, until = context.clock.now() } = request;
    const near = new Set((await searchCode(context, subject, { limit: 30 })).map(({ path }) => path));
    const about = (path: string) => near.has(path) || speaksOf(path, subject);
    const changes = new Map<string, ChangedCode>();
    const put = (card: Card, change: ChangedCode['change'], by: Card) => {
      const known = changes.get(card.ref);
      const at = by.at ?? '';
      if (!known) changes.set(card.ref, { code: card, change, at, by: [by] });
      else {
        known.by.push(by);
        if (rank[change] > rank[known.change]) known.change = change;
        if (at > known.at) known.at = at;
      }
    };
    const entries = await chronicle.find(viewer, { since, until, include_superseded: true, limit: 500 });
    const told = new Set(
      (
        await chronicle.find(viewer, { text: subject, since, until, include_superseded: true, limit: 200 })
      ).map(({ id }) => id),
    );
    const known = new Map(entries.map((entry) => [refOf('entry', entry.id), entry]));
    const linked = await relatedOf(viewer, [...known.keys()], {
      types: codeEdges,
      direction: 'out',
      each: true,
    });
    for (const { card, type, about: ref } of linked) {
      const entry = known.get(ref)!;
      if (told.has(entry.id) || about(card.path ?? '')) put(card, changeOf(type), entryCard(entry));
    }
    for (const { card, change, by } of await committed(viewer, { since, until, about }))
      put(card, change, by);
    return [...changes.values()]
      .sort((a, b) => rank[b.change] - rank[a.change] || (a.at < b.at ? 1 : -1))
      .slice(0, request.limit ?? 50);
  };

  const committed = async (
    viewer: Viewer,
    { since, until, about }: { since: number; until: number; about: (path: string) => boolean },
  ) => {
    const model = await places.historyView();
    if (!model) return [];
    const within = listCommits(model).filter(
      ({ timestamp }) => timestamp * 1000 >= since && timestamp * 1000 <= until,
    );
    const touched = within.flatMap(({ id, sha }) =>
      commitWithFiles(model, id)
        .files.map(({ path, status, now }) => ({ commit: refOf('commit', sha), path: now ?? path, status }))
        .filter(({ path }) => about(path)),
    );
    const known = await cards.of(
      viewer,
      touched.flatMap(({ commit, path }) => [commit, fileRef(path)]),
    );
    return touched.map(({ commit, path, status }) => ({
      card: known.get(fileRef(path))!,
      change: changeByStatus[status],
      by: known.get(commit)!,
    }));
  };

  /** "Have we had issues with this function before?" */
  const issuesOf = async (
    viewer: Viewer,
    request: { symbol: string; limit?: number | undefined },
  ): Promise<{ code: Card; issues: KnownIssue[] }> => {
    const [symbol] = (await code()).symbols(request.symbol);
    const own = symbol && (await cards.of(viewer, [symbol.ref])).get(symbol.ref);
    if (!symbol || !own)
      throw new SylkError(
        'NOT_FOUND',
        `No match in the code for ${JSON.stringify(request.symbol.slice(0, 80))}.`,
        {
          hint: 'Give a path or a name that `sylk search` finds.',
        },
      );
    const isFile = symbol.kind === 'file';
    const found = await relatedOf(viewer, isFile ? [symbol.ref] : [symbol.ref, fileRef(symbol.path)], {
      types: codeEdges,
      direction: 'in',
      within: isFile,
    });
    const outcomes = await relatedOf(
      viewer,
      found.map(({ card }) => card.was ?? card.ref),
      { types: ['resulted_in'], direction: 'out' },
    );
    const source = new Map(found.map((one) => [one.card.ref, one.about]));
    const issues = new Map<string, KnownIssue>();
    for (const { card, about } of [...found, ...outcomes])
      if (isIssue(card))
        issues.set(card.ref, {
          issue: card,
          fixed: card.resolved ?? false,
          about: source.get(about) ?? about,
        });
    const exact = (issue: KnownIssue) => (issue.about === symbol.ref ? 1 : 0);
    return {
      code: own,
      issues: [...issues.values()]
        .sort((a, b) => exact(b) - exact(a) || ((a.issue.at ?? '') < (b.issue.at ?? '') ? 1 : -1))
        .slice(0, request.limit ?? 20),
    };
  };

  return { patternsOf, decisionsAbout, changedCode, issuesOf, codeMeant };
}

/** A path with a word of the subject, or its short form: auth matches authentication. */
function speaksOf(path: string, subject: string): boolean {
  const parts = searchWords(path);
  return searchWords(subject).some((word) =>
    parts.some(
      (part) =>
        part === word ||
        (Math.min(part.length, word.length) >= 4 && (word.startsWith(part) || part.startsWith(word))),
    ),
  );
}

const rank = { mentioned: 0, modified: 1, created: 2, deleted: 3 } as const;
const changeByStatus = {
  added: 'created',
  deleted: 'deleted',
  modified: 'modified',
  renamed: 'modified',
} as const;
const changeOf = (type: string): ChangedCode['change'] =>
  changeWords.find((word) => word === type) ?? 'mentioned';

/** An outcome that was a bug or a problem: by its type, its category or its tags. */
export const isIssue = (card: Card): boolean =>
  ['bug_fix', 'failure', 'issue'].includes(card.kind) ||
  (card.tags ?? []).some((tag) => /^(?:bug|bug_?fix|issue|regression)$/i.test(tag));
