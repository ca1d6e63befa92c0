import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StrangerCase } from './case.ts';
import type { Command, Offered } from './commands.ts';
import { type Failure, judge } from './judge.ts';
import { makePlace, type Place } from './place.ts';
import type { LabContext, Surface } from './run-case.ts';
import { differences, takeSnapshot } from './snapshot.ts';
import {
  type Answer,
  ended,
  isFailure,
  lineProtocol,
  readable,
  readToken,
  runCommand,
  started,
  type Target,
  untilServing,
} from './surfaces.ts';

/** One case in a repository of its own, which one server serves beside others. */
interface Member {
  name: string;
  tried: StrangerCase;
  place: Place;
}

export interface FleetResult {
  /** Cases that each surface answered for, alone in their repositories. */
  met: Record<Surface | 'commands', string[]>;
  combinations: number;
  failures: Failure[];
  /** Cases that need a home of their own, could not be made, or that no server opens: for a process of their own. */
  left: string[];
}

const callsOfACase = 2;

/**
 * Many cases at the price of one server: each in a repository of its own, so that none hides another. What looks wrong
 * is tried again by whoever calls, alone: here all share a home and a process.
 */
export async function runFleet(
  context: LabContext,
  cases: StrangerCase[],
  { offered, commands, turn }: { offered: Offered[]; commands: Command[]; turn: number },
): Promise<FleetResult> {
  const root = join(context.work, 'fleet');
  const home = join(root, 'home');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const result: FleetResult = {
    met: { mcp: [], http: [], commands: [] },
    combinations: 0,
    failures: [],
    left: [],
  };
  const members: Member[] = [];
  for (const [at, tried] of cases.entries()) {
    const member = await makeMember(context, tried, { root: join(root, `p${at}`), home, name: `r${at}` });
    if (member) members.push(member);
    else result.left.push(tried.name);
  }
  for (const { place } of members)
    for (const hit of place.hits()) rmSync(join(place.root, 'canaries', `${hit}.hit`));
  context.listener.reset();
  const inState = stateOf(context, members);
  const before = takeSnapshot(root, inState);
  const [first] = members;
  if (!first) return result;
  const target: Target = { product: context.product, cwd: root, place: { ...first.place, home } };
  const add = (member: Member, answer: Answer) => {
    result.combinations++;
    const observed = { answer, changes: [], hits: [], connections: 0 };
    result.failures.push(...judge(member.tried, observed, undefined));
  };
  const callsFor = (at: number): Offered[] =>
    Array.from(
      { length: callsOfACase },
      (_, call) => offered[(turn + at * callsOfACase + call) % offered.length],
    ).filter((each) => each !== undefined);
  for (const surface of ['mcp', 'http'] as const)
    for await (const { member, answer } of (surface === 'mcp' ? askMcp : askHttp)(
      target,
      members,
      callsFor,
    )) {
      if (!member) result.failures.push(...endFailure(surface, answer));
      else if (/is not served here/.test(answer.text)) result.left.push(member.tried.name);
      else {
        add(member, answer);
        result.met[surface].push(member.tried.name);
      }
    }
  for (const [at, member] of members.entries()) {
    const command = commands[(turn + at) % Math.max(1, commands.length)];
    if (!command) continue;
    add(member, await runCommand({ ...target, cwd: member.place.repository }, command));
    result.met.commands.push(member.tried.name);
  }
  result.failures.push(
    ...aroundThem(context, members, differences(before, takeSnapshot(root, inState, before))),
  );
  rmSync(root, { recursive: true, force: true });
  return result;
}

/** Undefined where the case is about the person's home, which others share here, or can't be made. */
async function makeMember(
  context: LabContext,
  tried: StrangerCase,
  where: { root: string; home: string; name: string },
): Promise<Member | undefined> {
  if (tried.big || tried.stateAt) return undefined;
  const place = makePlace(where.root, context.base, context.product, { ...context, ...where });
  let isOwn = false;
  const watched = new Proxy(place, {
    get(target, key) {
      if (key === 'home' || key === 'asPerson') isOwn = true;
      return Reflect.get(target, key);
    },
  });
  try {
    await tried.make(watched);
  } catch {
    isOwn = true;
  }
  if (isOwn) rmSync(where.root, { recursive: true, force: true });
  return isOwn ? undefined : { name: where.name, tried, place };
}

function stateOf({ state }: LabContext, members: Member[]): (path: string) => boolean {
  const own = members.flatMap(({ name }) =>
    [`parent/${name}/${state}`, 'author', 'author-state', 'canaries'].map(
      (each) => `p${name.slice(1)}/${each}`,
    ),
  );
  return (path) => path === 'home' || own.some((each) => path === each || path.startsWith(`${each}/`));
}

/** A server that was the first to meet state of somebody else ends with 1, and says so. */
const endFailure = (surface: Surface, { code, text, stopped, name }: Answer): Failure[] =>
  (code === 0 || (code === 1 && /so it is not opened/.test(text))) && !stopped
    ? []
    : [
        {
          case: 'all of them',
          command: name,
          kind: `${surface} ended`,
          detail: `${stopped ?? code}: ${text.slice(-200)}`,
        },
      ];

/** What happened outside of any state, by the place that it happened in. */
function aroundThem({ listener }: LabContext, members: Member[], changes: string[]): Failure[] {
  const connections = listener.reset();
  const fail = (name: string, kind: string, detail: string): Failure => ({
    case: name,
    command: 'any',
    kind,
    detail,
  });
  return [
    ...(connections > 0 ? [fail('all of them', 'connected', `${connections} connections`)] : []),
    ...members.flatMap(({ name, tried, place }) => {
      const own = changes.filter((change) => change.slice(1).startsWith(`p${name.slice(1)}/`));
      return [
        ...place.hits().map((hit) => fail(tried.name, 'ran a program', hit)),
        ...(own.length > 0 ? [fail(tried.name, 'changed outside its state', own.slice(0, 4).join(' '))] : []),
      ];
    }),
  ];
}

type Asked = AsyncGenerator<{ member?: Member; answer: Answer }>;
type CallsFor = (at: number) => Offered[];

/** Each repository has processes of its own that index it. */
const limitsOf = (members: Member[]) => ({ seconds: 600, megabytes: 1500 + 300 * members.length });

/** Without vectors, which are the same for all and cost most. */
const repositories = (members: Member[]): string[] => [
  ...['--set', 'embedding.enabled=false'],
  ...members.flatMap(({ place }) => ['--repo', place.repository]),
];

async function* askMcp(target: Target, members: Member[], callsFor: CallsFor): Asked {
  const args = ['mcp', '--toolsets', 'all', '--structured', ...repositories(members)];
  const server = started(target, args, { stdin: 'pipe', ...limitsOf(members) });
  const request = lineProtocol(server);
  const clientInfo = { name: 'stranger', version: '1' };
  const hello = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  if (hello) server.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  for (const [at, member] of hello ? members.entries() : [])
    for (const { name, example } of callsFor(at)) {
      const reply = await request('tools/call', { name, arguments: { ...example, repository: member.name } });
      if (!reply) {
        yield { member, answer: { name: `mcp ${name}`, code: null, text: server.err() } };
        return yield* end(server, 'mcp', 'call');
      }
      yield {
        member,
        answer: { name: `mcp ${name}`, code: isFailure(reply) ? 1 : 0, text: readable(reply) },
      };
    }
  server.child.stdin?.end();
  yield* end(server, 'mcp', hello ? 'end' : 'start');
}

async function* askHttp(target: Target, members: Member[], callsFor: CallsFor): Asked {
  const args = ['up', '--port', '0', '--json', '--quiet', ...repositories(members)];
  const server = started(target, args, limitsOf(members));
  const address = await untilServing(server);
  if (!address) return yield* end(server, 'http', 'start');
  const headers = {
    authorization: `Bearer ${readToken(address.token_file)}`,
    'content-type': 'application/json',
  };
  for (const [at, member] of members.entries())
    for (const { name, example } of callsFor(at)) {
      const url = `${address.url}/api/${name}?repository=${member.name}`;
      const reply = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(example),
        signal: AbortSignal.timeout(120_000),
      })
        .then(async (response) => ({ code: response.ok ? 0 : 1, text: await response.text() }))
        .catch(() => undefined);
      yield { member, answer: { name: `http ${name}`, code: null, text: server.err(), ...reply } };
      if (!reply) return yield* end(server, 'http', 'call');
    }
  server.kill('SIGTERM');
  yield* end(server, 'http', 'end');
}

async function* end(
  server: ReturnType<typeof started>,
  surface: Surface,
  when: 'start' | 'call' | 'end',
): Asked {
  for await (const answer of ended(server, `${surface} ${when}`, when)) yield { answer };
}
