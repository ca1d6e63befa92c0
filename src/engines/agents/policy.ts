import { z } from 'zod';
import { compileGlob } from '../../base/glob/index.ts';
import type { Standing, StandingOffer } from '../../stores/approvals/index.ts';
import { type Rule, ruleSchema } from './config/index.ts';
import defaultRules from './default-rules.json' with { type: 'json' };
import { plainCommands } from './tools/plain-commands.ts';
import type { Permission } from './worker.ts';

export type Verdict = Rule['action'];

export interface Circumstances {
  rules: Rule[];
  /** What the person allowed or refused always in this repository. */
  standing?: Standing[] | undefined;
  /** Commands that the project itself is checked with. */
  known: string[];
  isConfined: boolean;
  /** Whether the conversation holds text that nobody vouches for. */
  isTainted: boolean;
}

export interface Judgement {
  verdict: Verdict;
  reason: string;
  /** What a person who says "always" would allow or refuse. Undefined where each time has to be asked for. */
  always?: StandingOffer[] | undefined;
}

const strictness: Verdict[] = ['allow', 'ask', 'deny'];
const shipped: Rule[] = z.array(ruleSchema).parse(defaultRules);

/**
 * The strictest of all rules that match; where none does, the person is asked. Rules that allow a command hold for lines
 * that are plain to read, and for each of their commands. What a person allowed always answers what no rule of theirs asks for.
 */
export function judge(permission: Permission, circumstances: Circumstances): Judgement {
  const parts = permission.command === undefined ? undefined : plainCommands(permission.command);
  if (!parts || parts.length === 1) return judgeOne(permission, circumstances);
  const judged = parts.map((words) => judgeOne({ ...permission, command: quoted(words) }, circumstances));
  const verdict = strictest(judged.map((each) => each.verdict)) ?? 'ask';
  const strict = judged.filter((each) => each.verdict === verdict);
  const offers = strict.map(({ always }) => always);
  return {
    verdict,
    reason: strict[0]?.reason ?? 'no rule allows it',
    always: offers.every((offer) => offer !== undefined) ? offers.flat() : undefined,
  };
}

const quoted = (words: string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`)).join(' ');

function judgeOne(permission: Permission, circumstances: Circumstances): Judgement {
  const own = circumstances.rules;
  const known = circumstances.known.map((command): Rule => ({ action: 'allow', command }));
  const matching = [...own, ...shipped, ...known].filter((rule) => matches(rule, permission));
  const verdicts = matching.map(({ action }) => action);
  const verdict = strictest(verdicts) ?? 'ask';
  const rule = matching.find(({ action }) => action === verdict);
  const reason = rule ? describeRule(rule) : 'no rule allows it';
  const isOwn = rule !== undefined && own.includes(rule);
  const always = verdict === 'ask' && !isOwn ? offerOf(permission) : undefined;
  const refused = standingFor(always, circumstances, 'denied').find((each) => each !== undefined);
  if (refused) return { verdict: 'deny', reason: `the person refused it always (${refused.id})` };
  const given = standingFor(always, circumstances, 'approved').map((each) => each?.id);
  const isGiven = given.length > 0 && given.every((id) => id !== undefined);
  const judged: Judgement = isGiven
    ? { verdict: 'allow', reason: `the person allowed it always (${given.join(', ')})` }
    : { verdict, reason, always: always && circumstances.isConfined ? always : undefined };
  return narrowed(judged, permission, circumstances);
}

/** One plain command, or each of some paths. What reaches outside is never allowed always: who asks for it may be told to. */
function offerOf({ tool, effect, command, paths = [] }: Permission): StandingOffer[] | undefined {
  if (effect === 'command') {
    const [words, ...more] = (command === undefined ? undefined : plainCommands(command)) ?? [];
    return words && more.length === 0 ? [{ tool, command: quoted(words) }] : undefined;
  }
  return effect === 'change' && paths.length > 0 ? paths.map((path) => ({ tool, path })) : undefined;
}

/** For each thing that was offered, what the person decided about it. */
const standingFor = (
  offers: StandingOffer[] | undefined,
  { standing = [] }: Circumstances,
  wanted: Standing['decision'],
): Array<Standing | undefined> =>
  (offers ?? []).map((offer) =>
    standing.find(
      ({ tool, command, path, exact, decision }) =>
        decision === wanted &&
        tool === offer.tool &&
        path === (offer.path ?? null) &&
        (command === (offer.command ?? null) || (!exact && `${offer.command} `.startsWith(`${command} `))),
    ),
  );

/** What no rule can allow by itself. */
function narrowed(
  judgement: Judgement,
  { effect }: Permission,
  { isConfined, isTainted }: Circumstances,
): Judgement {
  if (judgement.verdict !== 'allow') return judgement;
  if (effect === 'command' && !isConfined)
    return { verdict: 'ask', reason: 'no sandbox confines commands on this machine' };
  if (effect === 'fetch' && isTainted)
    return {
      verdict: 'ask',
      reason: 'the agent has read text that nobody vouches for, and this reaches outside',
    };
  return judgement;
}

const strictest = (verdicts: Verdict[]): Verdict | undefined =>
  verdicts.toSorted((a, b) => strictness.indexOf(b) - strictness.indexOf(a))[0];

function matches(rule: Rule, permission: Permission): boolean {
  const { tool, effect, command, path, host, action } = rule;
  if (tool !== undefined && tool !== permission.tool) return false;
  if (effect !== undefined && effect !== permission.effect) return false;
  if (command !== undefined && !matchesCommand(command, permission.command, action)) return false;
  if (path !== undefined && !matchesSome(permission.paths, compileGlob(path), action)) return false;
  return host === undefined || matchesSome(permission.hosts, hostMatcher(host), action);
}

/** A rule that allows has to hold for all, one that asks or denies for any. */
function matchesSome(
  values: string[] | undefined,
  test: (value: string) => boolean,
  action: Verdict,
): boolean {
  if (values === undefined || values.length === 0) return false;
  return action === 'allow' ? values.every(test) : values.some(test);
}

function matchesCommand(prefix: string, line: string | undefined, action: Verdict): boolean {
  if (line === undefined) return false;
  const begins = (words: string[]) => `${words.join(' ')} `.startsWith(`${prefix} `);
  const commands = plainCommands(line);
  if (action === 'allow') return commands?.every(begins) ?? false;
  // A line that is not plain may hide the command anywhere.
  return commands?.some(begins) ?? line.includes(prefix);
}

const hostMatcher = (pattern: string) => (host: string) =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;

const describeRule = ({ action, ...about }: Rule): string =>
  `a rule says ${action} for ${Object.entries(about)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`;
