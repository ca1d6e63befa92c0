import { searchWords } from '../../base/text/index.ts';

/**
 * What kind of thing was asked decides what counts: a name is matched as a name, a quoted string letter by letter, a
 * path as a path; only words and questions are asked by meaning.
 */
export type QueryKind = 'identifier' | 'exact' | 'path' | 'words' | 'question';

export interface RecallQuery {
  text: string;
  kind: QueryKind;
  /** Names with inner capitals, underscores, dots or a call's parentheses, as they were written. */
  identifiers: string[];
  /** What stood in quotes, or the whole of a query that reads like code. */
  exact: string[];
  /** What looks like a path or a file name. */
  paths: string[];
  /** Stemmed words without stop words. */
  words: string[];
  /** What it is for: it asks, it reads like the message of a commit, or it only names what is looked for. */
  aim: 'answer' | 'change' | 'place';
}

const quoted = /"([^"]{2,200})"|`([^`]{2,200})`|(?<![\p{L}\p{N}])'([^']{2,200})'(?![\p{L}\p{N}])/gu;
const identifierShape =
  /(?<![\p{L}\p{N}_$/.-])(?:[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?)(?![\p{L}\p{N}_$/-])/gu;
const compound = /[\p{Ll}\p{N}]\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]|^_\p{L}|\.\p{L}|::|->|#|\(\)$|^\$\p{L}/u;
const pathShape =
  /(?<![\p{L}\p{N}])(?:[\w.@-]+\/)+[\w.@-]*|(?<![\w/])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs?|cc|cpp|h|hpp|swift|sh|sql|md|rst|ya?ml|json|toml|html|css|vue)(?![\w])/gu;
const codeMarks = /[{}[\];=<>]|=>|\(\s*\)|\w\(\w*\)|::|&&|\|\|/;
const questionWord =
  /^(how|what|where|when|why|which|who|is|are|does|do(?! not\b)|can|should|could|show|find|explain|tell|list)\b|\?\s*$/i;

export function readQuery(text: string): RecallQuery {
  const plain = text.normalize('NFC').trim().slice(0, 2000);
  const exact = [...plain.matchAll(quoted)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  const paths = [...plain.matchAll(pathShape)]
    .map(([path]) => path.replace(/^\.\//, ''))
    .filter((path) => path.length > 2);
  const identifiers = [...plain.matchAll(identifierShape)]
    .map(([name]) => name)
    .filter((name) => compound.test(name) && !paths.includes(name))
    .map((name) => name.replace(/\(\)$/, ''));
  const words = [...new Set(searchWords(plain))];
  const aim = aimOf(plain);
  const kind = kindOf(plain, { exact, paths, identifiers, aim });
  if (kind === 'exact' && exact.length === 0 && plain.length > 1) exact.push(plain);
  if (kind === 'identifier' && identifiers.length === 0) identifiers.push(plain);
  return { text: plain, kind, identifiers, exact, paths, words, aim };
}

/** `fix(router): …`, `[docs] …`, or the verb that a change begins with. */
const changeType = /^[\w./-]+(?:\s?\([^)]*\))?!?: |^\[[^\]]+\]/;
const changeVerb =
  /^(?:add|allow|appl|avoid|bump|chang|check|clarif|clean|clos|convert|correct|creat|delet|deprecat|disabl|document|drop|enabl|ensur|expos|fix|format|handl|harden|hid|ignor|implement|improv|includ|increas|introduc|keep|mak|mark|mention|merg|minor|mov|normali[sz]|optimi[sz]|pin|prefer|prepar|preserv|prevent|refactor|releas|remov|renam|replac|requir|resolv|restor|reus|revert|rewrit|run|set|simplif|skip|speed|split|start|stop|strip|support|switch|treat|tweak|typo|updat|upgrad|us|validat|version|warn|wrap)(?:e|y|s|es|ies|ed|ied|ing|[a-z]ed|[a-z]ing)?(?=[\s,:;!]|$)|^(?:don['’]t|do not|never|no longer)\b/iu;

function aimOf(text: string): RecallQuery['aim'] {
  if (questionWord.test(text)) return 'answer';
  return changeType.test(text) || changeVerb.test(text) ? 'change' : 'place';
}

function kindOf(
  text: string,
  found: Pick<RecallQuery, 'exact' | 'paths' | 'identifiers' | 'aim'>,
): QueryKind {
  const asks = found.aim === 'answer';
  // Signs alone mean nothing: they are found where they stand, or not at all.
  if (!/[\p{L}\p{N}]/u.test(text)) return 'exact';
  if (found.exact.length > 0 && (asks || !tells(text, found.aim))) return 'exact';
  const terms = text.split(/\s+/);
  if (terms.length === 1) {
    if (found.paths.length > 0) return 'path';
    if (found.identifiers.length > 0 || /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text)) return 'identifier';
  }
  if (codeMarks.test(text) && !asks && !isProse(text) && found.exact.length === 0) return 'exact';
  return asks || terms.length >= 7 ? 'question' : 'words';
}

/** Besides what it quotes, the text says something: the quotation alone is not what is looked for. */
function tells(text: string, aim: RecallQuery['aim']): boolean {
  const unquoted = text.replace(quoted, ' ');
  return isProse(unquoted) || (aim === 'change' && !codeMarks.test(unquoted));
}

/** A sentence that has a piece of code or a quotation in it, as `fix(router): no "/" twice` or a commit's title. */
const isProse = (text: string): boolean =>
  /^\w+(?:\([^)]*\))?!?: /.test(text) || (text.match(plainWord)?.length ?? 0) >= 4;
const plainWord = /(?<=^|\s)\p{L}[\p{L}'’-]+[,.;:!?]?(?=\s|$)/gu;
