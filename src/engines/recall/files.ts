import { SylkError } from '../../base/errors.ts';
import { termsOf } from '../../base/text/index.ts';
import type { Domain, Passage } from '../../stores/passages/index.ts';
import type { Ranked } from './rank.ts';
import type { Recall } from './recall.ts';
import { reasonOf } from './scorer.ts';

type Asked = Awaited<ReturnType<Recall['question']>>;

export interface RankedFile extends Ranked {
  reason: string;
  lines?: string;
}

/** Questions whose answer is a file or a place in one. */
export function createFileQuestions(recall: Recall) {
  const { passages } = recall.parts;
  const definitionsOf = (name: string, owner?: string): Passage[] => {
    const asked = name.split(/\.|::|#/).at(-1) ?? name;
    const found = owner
      ? passages.ofOwner('code', owner)
      : passages.search({ text: name, domain: 'code', limit: 50 });
    return found.filter((passage) =>
      passage.heading.some((each) => each === asked || each.split(/[.,\s]+/).includes(asked)),
    );
  };

  return {
    rankFiles: async (request: Asked & { path?: string }): Promise<RankedFile[]> => {
      const ranked = await recall.rankDomain({ domain: 'code', limit: 0, depth: 200, ...request });
      return ranked.map((file) => {
        const best = file.passages[0];
        return {
          ...file,
          reason: file.letter === 2 ? 'exactly what was asked for' : reasonOf(file.parts),
          lines: best && `${best.startLine}-${best.endLine}`,
        };
      });
    },
    /** Places whose meaning is close to a text, for a search that already has its words. */
    placesByMeaning: async (text: string, limit: number) => {
      const { query, question, notes } = await recall.question(text);
      if (!question.vector || query.kind === 'identifier') return { places: [], notes };
      const matches = recall.meaning.space('code').search(question.vector, limit);
      const scores = new Map(matches.map((match) => [match.key, match.score]));
      const places = passages.byKey('code', [...scores.keys()]).flatMap((passage) =>
        passage.heading.length > 0
          ? [
              {
                path: passage.owner,
                startLine: passage.startLine,
                endLine: passage.endLine,
                similarity: scores.get(passage.key) ?? 0,
              },
            ]
          : [],
      );
      return { places, notes };
    },
    /** Other domains that know a word of the question. */
    alsoIn: (text: string, except: Domain): Domain[] => {
      const terms = termsOf(text);
      if (terms.length === 0) return [];
      return recall
        .domains()
        .filter((domain) => domain !== except && passages.size(domain) > 0 && recall.mayKnow(domain, text));
    },
    placeOf: (owner: string, name: string): { start: number; end: number } => {
      const place = definitionsOf(name, owner)[0];
      if (!place) throw notDefined(name, owner);
      return { start: place.startLine, end: place.endLine };
    },
  };
}

const notDefined = (name: string, owner: string | undefined) =>
  new SylkError('NOT_FOUND', `No definition of ${name}${owner ? ` in ${owner}` : ''} is known.`, {
    hint: 'Give symbol:PATH#NAME as `search_code` shows it.',
  });
