import { withoutTime } from './time-scope.ts';
import { isStopWord, splitWords, stem } from './words.ts';

/** Said when nothing but an earlier session can be meant: "where did we leave off". */
const sessionPhrases =
  /\b(?:leave|left) off\b|\bwhere (?:was|were) (?:i|we)\b|\bwhere i (?:was|stopped)\b|\bpick(?:ing)? (?:it |things )?up\b|\bwhat (?:was|were) (?:i|we) (?:doing|working on)\b/i;

const words = (list: string) => new Set(list.split(/\s+/));

/** What asks or tells, but is not what it is about. */
const asking = words(
  `ask tell say know find locate show list give get need want look search see explain describe walk through understand help
  remind remember recall please let lets use used uses using work works worked working happen happened happening change
  changed changing changes handle handled handles deal dealt do did doing done make made take took taken go going gone come
  came turn turned run ran try tried decide decided pick picked choose chose chosen design implement implemented add adding
  fixed fixing finished completed removed solve solved succeed succeeded fail failed pass passed continue resume start started stop stopped keep kept put set talk
  learn learnt learned record recorded store save note write wrote written check verify review inspect validate touch
  touched happens exist exists live lives defined located implemented configured exactly actually really currently
  again also still ever already yet now here there just only even very much many more most some any all every each both
  another other others same such like than about over under between across during without within before after earlier
  previously formerly back then once last first next previous past prior lately recent recently similar comparable related
  our ours my mine your yours their his her its us me them him they she he these those that this whose someone anyone
  anybody everyone everybody somebody nobody would could should may might must shall ll ve re s t m d isn doesn don didn
  wasn hasn haven won can cannot whether against near well up out off something anything everything one ones am left
  looking starting taking planning carry remains known current currently until instead compare research trace vs versus
  responsible follow point create generate measure analyse analyze close closed open opened`,
);

/** Nouns that name the kind of thing rather than the thing: "auth code" is about auth. */
const generic = words(
  `code codebase file files module modules function functions class classes method methods package symbol symbols
  implementation source pattern patterns strategy strategies approach approaches convention conventions framework
  frameworks way ways practice practices best context thing things stuff part parts place solution solutions reason result
  results outcome status issue issues time times question questions repo repository project existing standard usual
  recommended rule rules overview summary history activity difference pros cons purpose role good causes`,
);

/** A word that stands alone is spelled out; inside a name it stays as it was written. */
const spelledOut = new Map(
  Object.entries({
    auth: 'authentication',
    authn: 'authentication',
    authenticate: 'authentication',
    authenticating: 'authentication',
    authz: 'authorization',
    authorisation: 'authorization',
    db: 'database',
    databases: 'database',
    config: 'configuration',
    configs: 'configuration',
    settings: 'configuration',
    repos: 'repository',
    err: 'errors',
    error: 'errors',
    exception: 'errors',
    exceptions: 'errors',
    apis: 'api',
    tests: 'testing',
    test: 'testing',
    cache: 'caching',
    caches: 'caching',
    cached: 'caching',
    log: 'logging',
    logs: 'logging',
    deps: 'dependencies',
    dependency: 'dependencies',
    docs: 'documentation',
    perf: 'performance',
  }),
);

const determiners = words('the a an that this our my your his her their all every each any some no');
const pronouns = words('we i you they someone anyone anybody everyone somebody one it he she');
const verbShape = /(?:ing|ed|es)$/;
const wordShape = /[\p{L}\p{N}_$][\p{L}\p{N}_$./:-]*[\p{L}\p{N}_$]|[\p{L}\p{N}]|[,;:!?]/gu;
const mostWords = 4;

/**
 * What a message is about, in snake_case: "where is the auth middleware" → auth_middleware, "the auth code" →
 * authentication. The first run of words that neither ask, nor say when, nor name a mere kind of thing.
 */
export function subjectOf(text: string): string {
  const tokens = [...withoutTime(text.normalize('NFC').slice(0, 2000)).matchAll(wordShape)].map(
    ([token]) => token,
  );
  let run: string[] = [];
  const runs = [run];
  for (const [at, token] of tokens.entries()) {
    const lower = token.toLowerCase();
    if (isName(token)) run.push(...nameWords(token));
    else if (generic.has(lower) && run.length > 0) continue;
    else if (isKept(lower, tokens[at - 1]?.toLowerCase(), tokens[at + 1]?.toLowerCase()))
      run.push(...(lower.match(/[\p{L}\p{N}]+/gu) ?? []));
    else if (run.length > 0) {
      run = [];
      runs.push(run);
    }
  }
  const [subject] = runs;
  if (!subject || subject.length === 0) return sessionPhrases.test(text) ? 'session' : lastResort(tokens);
  if (sessionPhrases.test(text) && !tokens.includes('the'))
    return subject.length > 1 ? subject.join('_') : 'session';
  return spell(subject.slice(0, mostWords));
}

/** Equal for two ways of naming one thing: rate_limiter, "rate limiting" and RateLimit are one key. */
export const subjectKey = (subject: string): string =>
  splitWords(subject)
    .map((word) => stem(spelledOut.get(word) ?? word))
    .join('_');

const spell = (subject: string[]): string => {
  const joined = subject.join('_');
  return subject.length === 1 ? (spelledOut.get(joined) ?? joined) : joined;
};

/** `CreateUser`, `create_user`, `a/b.ts`: written as a name, so every part of it counts. */
const isName = (token: string): boolean =>
  /[\p{Ll}\p{N}]\p{Lu}|_|\p{L}[./:]\p{L}/u.test(token) && !/^(?:e\.g|i\.e|and\/or)$/i.test(token);

const nameWords = (token: string): string[] =>
  splitWords(
    token
      .split('/')
      .slice(-2)
      .join('/')
      .replace(/\.\p{Ll}{1,5}$/u, ''),
  );

function isKept(word: string, before: string | undefined, after: string | undefined): boolean {
  if (!/[\p{L}\p{N}]/u.test(word) || isStopWord(word) || asking.has(word) || generic.has(word)) return false;
  // After a pronoun, and before "the", stands what somebody does.
  if (before && pronouns.has(before)) return false;
  return !(after && determiners.has(after) && (verbShape.test(word) || !before || isStopWord(before)));
}

/** "what is our strategy": the kind of thing is all there is to go by. */
function lastResort(tokens: string[]): string {
  const found = tokens.map((token) => token.toLowerCase()).find((token) => generic.has(token));
  return found ?? '';
}
