import type { Intent, Lane, Target, Verb } from './classification.ts';

/** What to say of a lane when the words decided together and no single sign did comes last. */
const rows: Array<[Target, Intent, Verb, string]> = [
  ['librarian', 'LOCATE', 'recall', 'a question about a place in the code'],
  ['librarian', 'PATTERN', 'recall', 'a question about how things are done here'],
  ['librarian', 'EXPLAIN', 'recall', 'a question about how something works'],
  ['librarian', 'GENERAL', 'recall', 'a question about the code base'],
  ['archivalist', 'HISTORICAL', 'recall', 'a question about how or why it was done'],
  ['archivalist', 'ACTIVITY', 'recall', 'a question about what changed'],
  ['archivalist', 'OUTCOME', 'recall', 'a question about how it came out'],
  ['archivalist', 'SIMILAR', 'recall', 'a search for similar cases'],
  ['archivalist', 'RESUME', 'recall', 'a request to resume earlier work'],
  ['archivalist', 'GENERAL', 'recall', 'a question to the records'],
  ['archivalist', 'GENERAL', 'store', 'something to remember'],
  ['archivalist', 'GENERAL', 'check', 'a check before acting'],
  ['archivalist', 'GENERAL', 'declare', 'an announcement of work'],
  ['archivalist', 'GENERAL', 'complete', 'a report of work done'],
  ['academic', 'RESEARCH', 'recall', 'a question to the literature'],
  ['architect', 'PLAN', 'declare', 'a request to build something'],
  ['architect', 'CHANGE', 'declare', 'a change of the plan'],
  ['designer', 'DESIGN', 'declare', 'a request about the design'],
  ['inspector', 'INSPECT', 'check', 'a request for a review'],
  ['tester', 'TEST', 'check', 'a request about tests'],
  ['guide', 'HELP', 'recall', 'a question about this tool'],
  ['guide', 'STATUS', 'check', 'a question about the state of the system'],
  ['guide', 'SESSION', 'declare', 'something about sessions'],
];

/** Lanes by name: the target with its intent, or with its verb where something is told. */
export const lanes: Record<string, Lane & { reads: string }> = Object.fromEntries(
  rows.map(([target, intent, verb, like]) => [
    `${target} ${intent === 'GENERAL' && verb !== 'recall' ? verb : intent}`,
    { target, intent, verb, reads: `reads like ${like}` },
  ]),
);

/** The name for a message that is for nobody here. */
export const nobody = 'none';
export const laneNames = [...Object.keys(lanes), nobody];
