import { z } from 'zod';
import {
  type Classification,
  intents,
  intentsOf,
  type Phase,
  targets,
  usualIntent,
  verbs,
} from './classification.ts';

/** A language model that chooses where a message goes. None is built in; whoever has one passes it. */
export type ClassifyingModel = (request: {
  instructions: string;
  text: string;
  phase?: Phase;
  signal?: AbortSignal;
}) => Promise<unknown>;

/** What the model is told. Where to go and what is wanted are asked for in one call, so the second costs nothing. */
export const instructions = `Decide who answers a message in a coding project, and what it wants. Answer with one JSON object:
{"target": …, "intent": …, "verb": …, "subject": …, "time_scope": …, "confidence": …}
- target: librarian (this code as it is), archivalist (what was done, decided, tried here, and what shall be kept), academic
  (knowledge from outside), architect (something is to be built or changed), designer (how it looks), inspector (review of
  code), tester (tests), guide (help, state of the system, sessions), none (nothing of these).
- intent: librarian LOCATE (a place), PATTERN (how we do it), EXPLAIN (how it works), GENERAL; archivalist HISTORICAL (how or
  why it was done), ACTIVITY (what changed, who did), OUTCOME (did it work), SIMILAR (seen before), RESUME (go on), GENERAL;
  academic RESEARCH; architect PLAN or CHANGE; designer DESIGN; inspector INSPECT; tester TEST; guide HELP, STATUS or SESSION.
- verb: recall (asks), store (keep this), check (asks before acting), declare (announces or orders), complete (reports done).
- subject: what it is about, in snake_case ("auth code" is authentication, "error handling" is error_handling).
- time_scope: the time it names, as it was said, or "".
- confidence: 0 to 1.`;

const answerSchema = z.object({
  target: z.enum([...targets, 'none']),
  intent: z.enum(intents).optional(),
  verb: z.enum(verbs).default('recall'),
  subject: z.string().max(120).default(''),
  confidence: z.coerce.number().min(0).max(1).default(0.7),
});

/** The model's answer, if it is one: text from a model is read, never trusted to be of the right form. */
export function readModelAnswer(answer: unknown):
  | (Pick<Classification, 'intent' | 'verb' | 'subject' | 'confidence'> & {
      target: Classification['target'] | 'none';
    })
  | undefined {
  const parsed = answerSchema.safeParse(typeof answer === 'string' ? jsonIn(answer) : answer);
  if (!parsed.success) return undefined;
  const { target, intent, verb, subject, confidence } = parsed.data;
  if (target === 'none') return { target, intent: 'GENERAL', verb, subject, confidence };
  const possible: readonly string[] = intentsOf[target];
  const fitting = intent && possible.includes(intent) ? intent : usualIntent(target);
  return { target, intent: fitting, verb, subject: snake(subject), confidence };
}

function jsonIn(text: string): unknown {
  const found = /\{[\s\S]*\}/.exec(text);
  try {
    return found ? JSON.parse(found[0]) : undefined;
  } catch {
    return undefined;
  }
}

const snake = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 6).join('_');
