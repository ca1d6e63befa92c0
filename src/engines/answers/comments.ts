import { redact } from '../../base/redact.ts';
import { fileRef } from '../../base/ref.ts';
import { isTestPath } from '../../base/text/index.ts';
import { readWorktreeFile } from '../recall/index.ts';
import { shareOf, tellingWords } from './commit-words.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

const mostFiles = 6;
const mostPlaces = 8;
/** Half of the words are in the comment, or in it and the few lines below. */
const enough = 0.55;
const linesBelow = 8;
const mostShown = 2;
const longest = 400;
const comment = /^\s*(?:\/\/+!?|\/\*+|\*+(?!\w)|#+(?![![])|--)\s?/;
/** Words that give a reason. */
const reason =
  /\b(?:because|since|so|otherwise|to avoid|avoids?|prevents?|in order to|due to|as (?:it|this|the)|see https?|workaround|hack|note|must|needs? to|cannot|can't|won't|ensures?|to (?:make sure|catch|keep|allow|support|reduce))\b/i;

/** Comments that give a reason for what a question after one is about. */
export async function commentsSaying(context: AnswersContext, subject: string): Promise<Cited[]> {
  const wanted = tellingWords(subject);
  if (wanted.length < 2) return [];
  const recall = await context.recall();
  const asked = await recall.question(`where ${subject}`);
  const { cards } = await recall.searchDomain({ domain: 'code', ...asked, limit: mostPlaces });
  const paths = [...new Set(cards.flatMap(({ path }) => (path && !isTestPath(path) ? [path] : [])))];
  const found: Array<{ share: number; cited: Cited }> = [];
  for (const path of paths.slice(0, mostFiles)) {
    const lines = (readWorktreeFile(context.repository.root, path) ?? '').split('\n');
    for (const { from, to } of blocksOf(lines)) {
      const said = lines.slice(from, to).map((line) => line.replace(comment, '').trim());
      const text = said.join(' ').trim();
      if (!reason.test(text)) continue;
      const below = lines.slice(to, to + linesBelow).join(' ');
      const share = 0.7 * shareOf(wanted, `${text} ${below}`) + 0.3 * shareOf(wanted, text);
      if (share >= enough)
        found.push({
          share,
          cited: {
            ref: fileRef(path),
            domain: 'code',
            place: `${path}:${from + 1}-${to}`,
            reason: redact(text.slice(0, longest)),
          },
        });
    }
  }
  return found
    .sort((a, b) => b.share - a.share)
    .slice(0, mostShown)
    .map(({ cited }) => cited);
}

/** Lines of comments that stand together; `to` is the line behind them. */
function blocksOf(lines: string[]): Array<{ from: number; to: number }> {
  const blocks: Array<{ from: number; to: number }> = [];
  for (let at = 0; at < lines.length; at++) {
    if (!comment.test(lines[at] ?? '')) continue;
    const from = at;
    while (at < lines.length && comment.test(lines[at] ?? '')) at++;
    blocks.push({ from, to: at });
  }
  return blocks;
}
