import type { Clock } from '../../../base/clock.ts';
import { quoteForPattern, subjectOf, type TimeScope, timeScopeOf } from '../../../base/text/index.ts';
import { readQuery } from '../../recall/index.ts';
import {
  type Classification,
  intentsOf,
  type Lane,
  type Phase,
  type QuestionIntent,
  type ReadQuestion,
  sureEnough,
  type Target,
  usualIntent,
  type Verb,
} from './classification.ts';
import { type Command, readCommand } from './commands.ts';
import { createJudge, type Judgement, type Vectors } from './judge.ts';
import { lanes } from './lanes.ts';
import { readLookUp } from './look-up-forms.ts';
import { type ClassifyingModel, instructions, readModelAnswer } from './model.ts';
import { chosenByWord, type RoutingPreferences, routingPreferences } from './preferences.ts';
import { createRouteCache } from './route-cache.ts';
import { scoreLanes } from './rules.ts';

export interface ReadOptions {
  /** Said by whoever sends it; they are not doubted. */
  target?: Target | undefined;
  verb?: Verb | undefined;
  phase?: Phase | undefined;
  /** Who asks and what they may see: one session's decisions are not another's. */
  visibility?: string;
  /** The person's preferences, by name. */
  preferences?: Record<string, string>;
  model?: ClassifyingModel | undefined;
  signal?: AbortSignal | undefined;
}

export interface ReaderParts extends Vectors {
  clock: Clock;
  /** What this project is called: "how does ripgrep find files" is asked of ripgrep's own code there. */
  project?: string;
}

/** Below this nothing fits well enough to send it anywhere but to search. */
const floor = 0.45;

/**
 * Commands and addresses, then what a model decided before, then rules and labelled examples weighed together, then a model:
 * the first tier that is sure decides, and the answer says which one it was.
 */
export function createReader({ clock, project = '', ...vectors }: ReaderParts) {
  const cache = createRouteCache(clock);
  const ownName = ownNamePattern(project);
  const { judge, laneWithin } = createJudge(vectors);

  const classify = async (text: string, options: ReadOptions = {}): Promise<Classification> => {
    const command = readCommand(text);
    if (command?.method === 'command') return fromCommand(command);
    const said = command ? command.rest : text.trim();
    const wishes = routingPreferences(options.preferences ?? {});
    const timeScope = timeScopeOf(said, clock.now());
    const target = command?.target ?? options.target ?? chosenByWord(said, wishes)?.target;
    const heard = ownName ? said.replace(ownName, 'this project') : said;
    const ruled = scoreLanes(heard, { timeScope });
    if (target) {
      const lane = lanes[laneWithin(target, heard, ruled) ?? ''];
      return within(target, lane, said, timeScope, { command, options, wishes });
    }
    const { visibility = '', phase = '' } = options;
    const key = { text: said, visibility, phase, preferences: JSON.stringify(wishes) };
    const known = cache.get(key);
    if (known)
      return finish(
        { ...known, method: 'cache', reason: `a model decided before: ${known.reason}` },
        options,
        wishes,
      );
    const judgement = await judge(heard, ruled, { phase: options.phase, prefer: wishes.prefer });
    const decided = fromJudgement(judgement, said, timeScope);
    const { model } = options;
    if (decided.confidence >= sureEnough || !model) return finish(decided, options, wishes);
    const judged = await byModel(model, said, timeScope, options);
    if (judged) cache.set(key, judged);
    return finish(judged ?? decided, options, wishes);
  };

  const byModel = async (
    model: ClassifyingModel,
    text: string,
    timeScope: TimeScope | undefined,
    { phase, signal }: ReadOptions,
  ): Promise<Classification | undefined> => {
    const answer = await model({ instructions, text, phase, signal }).catch(() => undefined);
    const read = readModelAnswer(answer);
    if (!read) return undefined;
    const { target, ...rest } = read;
    if (target === 'none')
      return { ...unsure(text, 0.3, timeScope), method: 'model', reason: 'the model found no match' };
    const { intent, verb, confidence, subject } = rest;
    const decided = made(text, { target, intent, verb }, confidence, 'model', 'a model decided', timeScope);
    return { ...decided, subject: subject || decided.subject };
  };

  const librarianLane = (text: string): string | undefined =>
    laneWithin('librarian', text, scoreLanes(text, { timeScope: timeScopeOf(text, clock.now()) }));

  const codeIntentOf = (text: string, { target, intent }: Classification): QuestionIntent => {
    const own: readonly QuestionIntent[] = intentsOf.librarian;
    const wanted = target === 'librarian' ? intent : lanes[librarianLane(text) ?? '']?.intent;
    return own.find((each) => each === wanted) ?? 'GENERAL';
  };

  const read = async (text: string, options: ReadOptions = {}): Promise<ReadQuestion> => {
    const classification = await classify(text, options);
    const lookUp = readLookUp(text);
    const codeIntent = codeIntentOf(text, classification);
    const isGiven =
      classification.command !== undefined || options.target !== undefined || /^\s*@/.test(text);
    const { target } = classification;
    const isMistaken =
      !isGiven && (lookUp?.kind === 'tools' || (workers.has(target) && asksPlainly.test(text)));
    return {
      ...classification,
      ...(isMistaken && { target: 'librarian' as const, verb: 'recall' as const, intent: codeIntent }),
      text,
      query: readQuery(text),
      lookUp,
      codeIntent,
    };
  };

  return { read, cache };
}

/** Who would begin to work at a message. */
const workers: ReadonlySet<Target> = new Set(['engineer', 'tester', 'inspector', 'designer']);
/** A question, also one that has the words of work in it: "how are tests run?" wants no work. "How about", "when done" ask for it. */
const asksPlainly = /^\s*(?:how (?:do|does|are|is|can|should)|why|where|who|which)\b/i;

/** Words that projects are called by and that questions are full of. */
const commonNames =
  /^(?:api|app|apps|backend|client|code|core|docs?|frontend|library|main|project|repo|server|service|site|source|src|tests?|tools?|web|website|work)$/i;

function ownNamePattern(project: string): RegExp | undefined {
  if (project.length < 3 || commonNames.test(project)) return undefined;
  const name = quoteForPattern(project).replace(/[-_ ]/g, '[-_ ]?');
  return new RegExp(`(?:\\bthe )?(?<![\\p{L}\\p{N}_./-])${name}(?![\\p{L}\\p{N}_./-])`, 'giu');
}

function fromCommand({ target, intent, verb, reason, rest, command }: Command): Classification {
  return {
    target,
    intent,
    verb,
    reason,
    confidence: 1,
    method: 'command',
    unsure: false,
    also: [],
    subject: subjectOf(rest),
    command,
  };
}

function fromJudgement(
  { lane, confidence, method, reason }: Judgement,
  text: string,
  timeScope: TimeScope | undefined,
): Classification {
  const found = lanes[lane];
  return found
    ? made(text, found, confidence, method, reason, timeScope)
    : unsure(text, 1 - confidence, timeScope);
}

/** The target is given; only what is wanted of it is read off the words. */
function within(
  target: Target,
  found: Lane | undefined,
  text: string,
  timeScope: TimeScope | undefined,
  by: { command: Command | undefined; options: ReadOptions; wishes: RoutingPreferences },
): Classification {
  const lane = found ?? { target, intent: usualIntent(target), verb: 'recall' as const };
  const method = by.command || by.options.target ? 'address' : 'rules';
  const reason =
    by.command?.reason ??
    (by.options.target ? `addressed to ${target}` : `a preference sends it to ${target}`);
  return finish(made(text, lane, 1, method, reason, timeScope), by.options, by.wishes);
}

function made(
  text: string,
  lane: Lane,
  confidence: number,
  method: Classification['method'],
  reason: string,
  timeScope: TimeScope | undefined,
): Classification {
  if (confidence < floor) return unsure(text, confidence, timeScope);
  const { target, intent, verb } = lane;
  return {
    target,
    intent,
    verb,
    subject: subjectOf(text) || (lane.intent === 'RESUME' ? 'session' : ''),
    time_scope: timeScope,
    confidence: Math.round(Math.min(1, confidence) * 100) / 100,
    method,
    reason,
    unsure: false,
    also: [],
  };
}

/** Nobody is sent to plan what may have been a question: it is searched for. */
function unsure(text: string, confidence: number, timeScope: TimeScope | undefined): Classification {
  return {
    target: 'librarian',
    intent: 'GENERAL',
    verb: 'recall',
    method: 'default',
    unsure: true,
    also: [],
    subject: subjectOf(text),
    time_scope: timeScope,
    confidence: Math.round(confidence * 100) / 100,
    reason: 'no rule matched, so it is searched for',
  };
}

/** Best practice is answered beside how this code does it, and what the sender said of the verb holds. */
function finish(decided: Classification, { verb }: ReadOptions, wishes: RoutingPreferences): Classification {
  const also: Target[] = decided.target === 'academic' ? ['librarian'] : [];
  if (wishes.researchFirst && decided.target === 'architect' && decided.intent === 'PLAN')
    also.push('academic');
  const elsewhere =
    decided.unsure && wishes.unsure
      ? {
          target: wishes.unsure,
          intent: usualIntent(wishes.unsure),
          reason: `${decided.reason}; a preference sends that to ${wishes.unsure}`,
        }
      : {};
  return { ...decided, ...elsewhere, also, verb: verb ?? decided.verb };
}
