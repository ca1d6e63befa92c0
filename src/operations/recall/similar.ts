import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { limitInput } from '../../base/paging.ts';
import { similarTo } from '../../engines/recall/index.ts';
import { domains } from '../../stores/passages/index.ts';
import { operation } from '../operation.ts';
import { domainsInput, domainsOf, openRecall, partsOutput, pathInput, queryInput } from './shared.ts';

const similarOutput = z.object({
  ref: z.string(),
  domain: z.string(),
  path: z.string().optional(),
  lines: z.string(),
  heading: z.string().optional(),
  similarity: z.number(),
});

/** `file:a.ts`, `a.ts`, `commit:1a2b…`, `symbol:a.ts#login`. */
function readRef(ref: string): { domain: (typeof domains)[number]; owner: string; name?: string } {
  const [, kind, id] = /^([a-z]+):(.+)$/.exec(ref) ?? [];
  if (kind === 'commit') return { domain: 'commits', owner: id! };
  if (kind === 'symbol') {
    const [path, name] = decodeURIComponent(id!).split('#');
    return { domain: 'code', owner: path!, name: name ? name.replace(/~\d+$/, '') : undefined };
  }
  if (kind === 'file' || kind === undefined) return { domain: 'code', owner: id ?? ref };
  // Work and areas are indexed by their full ref.
  if (/^(?:project|feature|task|section)$/.test(kind)) return { domain: 'work', owner: ref };
  if (/^(?:atom|molecule)$/.test(kind)) return { domain: 'areas', owner: ref };
  const domain = domains.find((each) => each.startsWith(kind.slice(0, 4)));
  if (domain) return { domain, owner: id! };
  throw new SylkError('VALIDATION_ERROR', `Cannot compare ${ref}.`, {
    hint: 'Give file:PATH, symbol:PATH#NAME or commit:SHA.',
  });
}

export const similar = operation({
  name: 'similar',
  summary:
    'Files, symbols or commits similar in meaning to a given one. With symbols: functions, classes and types similar to the given one, such as related implementations or duplicates.',
  effect: 'read',
  input: z.object({
    ref: z.string().min(1).max(4096).describe('file:PATH, symbol:PATH#NAME or commit:SHA'),
    domains: domainsInput,
    symbols: looseBoolean.default(false).describe('compare symbols; a name is enough'),
    same_type_only: looseBoolean.default(false).describe('with symbols: only the same kind'),
    limit: limitInput(10, 100),
  }),
  output: z.object({ similar: z.array(similarOutput) }),
  examples: [{ ref: 'file:src/auth/session.ts' }, { ref: 'allow', symbols: true, limit: 2 }],
  command: { positionals: ['ref'] },
  render: ({ similar: found }) =>
    found
      .map(
        (each) =>
          `${each.similarity.toFixed(3)}  ${each.path ?? each.ref}:${each.lines}${each.heading ? `  ${each.heading}` : ''}`,
      )
      .join('\n') || 'No similar items.',
  run: async (input, context) => {
    const recall = await openRecall(context);
    if (input.symbols)
      return { similar: await recall.similarSymbols(input.ref, input.limit, input.same_type_only) };
    const { domain, owner, name } = readRef(input.ref);
    const place = name ? recall.placeOf(owner, name) : undefined;
    const wanted = domainsOf(input.domains);
    return {
      similar: similarTo(recall, domain, owner, {
        limit: input.limit,
        lines: place,
        domains: wanted,
      }),
    };
  },
});

export const explainRanking = operation({
  name: 'explain_ranking',
  summary:
    'Explain the rank of a file for a question: every signal, its weight and its points, compared with the winner.',
  effect: 'read',
  input: z.object({
    query: queryInput,
    file: z.string().max(4096).optional().describe('the file to explain; the best three when omitted'),
    path: pathInput,
  }),
  output: z.object({
    kind: z.string(),
    tier: z.string().describe('what meaning was compared with: model, static or none'),
    explained: z.array(
      z.object({
        path: z.string(),
        position: z.number(),
        score: z.number(),
        named_exactly: z.boolean(),
        reason: z.string(),
        parts: partsOutput,
      }),
    ),
    total: z.number(),
  }),
  examples: [{ query: 'rate limiting' }, { query: 'rate limiting', file: 'src/auth/session.ts' }],
  command: { positionals: ['query'], rest: true },
  render: (output) =>
    [
      `${output.kind} question, meaning: ${output.tier}`,
      ...output.explained.map((each) =>
        [
          `${each.position}. ${each.path}  ${each.score.toFixed(3)}  ${each.reason}`,
          ...each.parts.map(
            (part) =>
              `     ${part.points.toFixed(3).padStart(7)}  ${part.signal} ${part.value} × ${part.weight}`,
          ),
        ].join('\n'),
      ),
    ].join('\n'),
  run: async (input, context) => {
    const recall = await openRecall(context);
    const asked = await recall.question(input.query);
    const ranked = await recall.rankFiles({ ...asked, path: input.path || undefined });
    const positions = ranked.map((file, at) => ({ ...file, position: at + 1 }));
    const chosen = input.file
      ? positions.filter((file) => file.owner === input.file || file.position === 1)
      : positions.slice(0, 3);
    if (input.file && !chosen.some((file) => file.owner === input.file)) {
      throw new SylkError('NOT_FOUND', `${input.file} does not match this question.`, {
        hint: 'Check the path, or ask with words that the file or its commits contain.',
      });
    }
    return {
      kind: asked.query.kind,
      tier: asked.question.tier,
      total: ranked.length,
      explained: chosen.map((file) => ({
        path: file.owner,
        position: file.position,
        score: Math.round(file.score * 1000) / 1000,
        named_exactly: file.letter > 0,
        reason: file.reason,
        parts: file.parts,
      })),
    };
  },
});
