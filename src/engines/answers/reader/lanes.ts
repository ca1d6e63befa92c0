import type { Intent, Lane, Target, Verb } from './classification.ts';

/** A place a message can go to, with what to say when its words decided together and no single sign did. */
export interface NamedLane extends Lane {
  reads: string;
}

const lane = (target: Target, intent: Intent, verb: Verb, reads: string): NamedLane => ({
  target,
  intent,
  verb,
  reads,
});

/** Lanes by name: the target with its intent, or with its verb where something is told. */
export const lanes: Record<string, NamedLane> = {
  'librarian LOCATE': lane('librarian', 'LOCATE', 'recall', 'reads like a question for a place in the code'),
  'librarian PATTERN': lane(
    'librarian',
    'PATTERN',
    'recall',
    'reads like a question about how things are done here',
  ),
  'librarian EXPLAIN': lane(
    'librarian',
    'EXPLAIN',
    'recall',
    'reads like a question about how something works',
  ),
  'librarian GENERAL': lane('librarian', 'GENERAL', 'recall', 'reads like a question about the code base'),
  'archivalist HISTORICAL': lane(
    'archivalist',
    'HISTORICAL',
    'recall',
    'reads like a question about how or why it was done',
  ),
  'archivalist ACTIVITY': lane(
    'archivalist',
    'ACTIVITY',
    'recall',
    'reads like a question about what changed',
  ),
  'archivalist OUTCOME': lane(
    'archivalist',
    'OUTCOME',
    'recall',
    'reads like a question about how it came out',
  ),
  'archivalist SIMILAR': lane('archivalist', 'SIMILAR', 'recall', 'reads like a search for the like'),
  'archivalist RESUME': lane('archivalist', 'RESUME', 'recall', 'reads like going on with earlier work'),
  'archivalist GENERAL': lane('archivalist', 'GENERAL', 'recall', 'reads like a question to the records'),
  'archivalist store': lane('archivalist', 'GENERAL', 'store', 'reads like something to keep'),
  'archivalist check': lane('archivalist', 'GENERAL', 'check', 'reads like a check before acting'),
  'archivalist declare': lane('archivalist', 'GENERAL', 'declare', 'reads like an announcement of work'),
  'archivalist complete': lane('archivalist', 'GENERAL', 'complete', 'reads like a report of work done'),
  'academic RESEARCH': lane('academic', 'RESEARCH', 'recall', 'reads like a question to the literature'),
  'architect PLAN': lane('architect', 'PLAN', 'declare', 'reads like something to be built'),
  'architect CHANGE': lane('architect', 'CHANGE', 'declare', 'reads like a change of what was planned'),
  'designer DESIGN': lane('designer', 'DESIGN', 'declare', 'reads like a wish about how it looks'),
  'inspector INSPECT': lane('inspector', 'INSPECT', 'check', 'reads like a request for a review'),
  'tester TEST': lane('tester', 'TEST', 'check', 'reads like a request about tests'),
  'guide HELP': lane('guide', 'HELP', 'recall', 'reads like a question about this tool'),
  'guide STATUS': lane('guide', 'STATUS', 'check', 'reads like a question about the state of the system'),
  'guide SESSION': lane('guide', 'SESSION', 'declare', 'reads like something about sessions'),
};

/** The name for a message that is for nobody here. */
export const nobody = 'none';
export const laneNames = [...Object.keys(lanes), nobody];
