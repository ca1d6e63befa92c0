import { stem } from '../../../base/text/index.ts';
import type { QuestionIntent } from '../reader/index.ts';

const stems = (words: string): string[] => words.split(' ').map(stem);

/** Words that say how something is asked, not what. Their stems count. */
const everywhere = stems(
  'a an and are as at be been being but by for from has have had how if in into is it its of on or that the then this to ' +
    'was were what where which will would with we you i so do does did done doing can could should may might us our my your ' +
    'me please tell show list all every each some any there here these those them they their use used using about around ' +
    'regarding concerning get gets got one s just also really actually exactly currently still yet again now when whenever ' +
    'hey hi thanks want need know let see give out up off codebase project exist existing various overall main ' +
    'make made take takes took',
);

/** Words that only name the intent. With the intent as part of the key they say nothing more. */
const byIntent: Record<QuestionIntent, string[]> = {
  LOCATE: stems(
    'find locate located location place code file files module live lives hold holds define defined defines definition ' +
      'implement implemented implements implementation handle handled handles handling treat treats repo repository happen happens',
  ),
  PATTERN: stems(
    'pattern strategy approach convention way practice handle handling take follow standard style rule repo repository ' +
      'framework general normally usually',
  ),
  EXPLAIN: stems(
    'explain work works working walk through happen happens mean means understand treat treated support supported handle handled repo repository',
  ),
  HISTORICAL: stems(
    'before previously previous past prior earlier solution solve solved approach take took last time handle handled history ' +
      'fix fixed go went come came repo repository',
  ),
  ACTIVITY: stems(
    'change changed changes happen happened history activity modification modify work worked recent recently repo repository',
  ),
  OUTCOME: stems(
    'result outcome status succeed succeeded success successful successfully work worked pass passed turn complete completed ' +
      'find found finish finished go went',
  ),
  SIMILAR: stems(
    'similar like seen see before past previous previously earlier comparable same resemble resembles related find have had ' +
      'anything something work worked',
  ),
  RESUME: stems(
    'leave left off was continue resume pick up last session current currently state status context work where carry',
  ),
  RESEARCH: stems(
    'research best practice recommend recommended recommendation say says way should according known rule rules good find',
  ),
  GENERAL: stems('repo repository code'),
};

/** Kinds of things: one may say them or not, but not say two different ones. */
const kinds = [
  'function func method',
  'class struct',
  'interface',
  'component hook',
  'package library',
  'table',
  'flow process',
  'logic mechanism',
  'system',
  'feature',
  'write wrote written',
  'run ran',
  'set assign assigned',
  'issue problem failure bug trouble',
];
const kindOf = new Map(
  kinds.flatMap((line) => stems(line).map((word) => [word, line.split(' ')[0]!] as const)),
);

/** Names of one thing. Small on purpose: what is not surely the same is not the same. */
const synonyms = [
  'authentication auth authn authenticate authenticated',
  'authorization authz authorize authorise authorisation',
  'error err errors exception exceptions',
  'configuration config configure cfg settings',
  'database db databases',
  'environment env',
  'documentation docs doc documents',
  'specification spec specs',
  'directory folder dir',
  'parameter param params parameters',
  'argument arg args',
  'administrator admin',
  'application app',
  'identifier id ids',
  'dependency dep deps',
  'performance perf',
  'initialization init initialise initialize initialisation',
  'synchronization sync synchronise synchronize',
  'message msg messages',
  'command cmd commands',
  'temporary temp tmp',
  'connection conn connections',
  'choose chose chosen pick picked decide decided decision choice',
  'remove removed removal delete deleted deletion',
  'reason why',
  'color colour',
  'built build building builds',
  'sent send sending',
  'thrown throw threw raise raised',
  'kept keep keeping',
  'two 2',
  'three 3',
  'comparison compare compared versus vs',
  'create created creates creation',
  'store stored storing storage',
  'translate translated translation',
];
const folded = new Map(
  synonyms.flatMap((line) => stems(line).map((word) => [word, stem(line.split(' ')[0]!)] as const)),
);

/** Stop words of the index that change a question. */
export const negations = new Set(['not', 'no', 'never', 'without', 'non']);

export const foldWord = (word: string): string => folded.get(stem(word)) ?? stem(word);
export const isFrame = (word: string, intent: QuestionIntent): boolean => {
  const root = stem(word);
  return everywhereSet.has(root) || frames[intent].has(root);
};
export const kindWord = (word: string): string | undefined => kindOf.get(stem(word));

const everywhereSet = new Set(everywhere);
const frames = Object.fromEntries(
  Object.entries(byIntent).map(([intent, words]) => [intent, new Set(words)]),
) as Record<QuestionIntent, Set<string>>;

/** Other names under which a subject may be asked for: `error_handling` → errors, exception_handling. */
export function relatedNames(subject: string): string[] {
  const words = subject.split('_').filter(Boolean);
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    const line = synonyms.find((each) => stems(each).includes(stem(word)));
    for (const other of line?.split(' ') ?? [])
      if (other !== word && stem(other) !== stem(word)) names.add(words.with(at, other).join('_'));
  }
  names.delete(subject);
  return [...names].slice(0, 8);
}
