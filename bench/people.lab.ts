import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../src/base/clock.ts';
import { openLibrary } from '../src/base/library/index.ts';
import { openAudit } from '../src/stores/audit/index.ts';
import { openPeople } from '../src/stores/people/index.ts';
import { fixtureRepository } from '../tests/support/fixture-repository.ts';
import { ownPostgres } from '../tests/support/postgres.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

interface Call {
  operation: string;
  input: object;
}

/** Six reads for one write, as people and agents mix them. */
const calls = (round: number, who: number): Call[] => [
  { operation: 'search', input: { query: 'rate limit of the session' } },
  { operation: 'search_history', input: { query: `carts of ${who}` } },
  { operation: 'get_symbol', input: { symbol_id: 'login' } },
  { operation: 'list_work', input: {} },
  { operation: 'who_am_i', input: {} },
  { operation: 'get_briefing', input: {} },
  { operation: 'store_entry', input: { content: `Member ${who} found in round ${round} that carts stay.` } },
];

/**
 * `npm run lab -- people [PEOPLE] [AGENTS] [SECONDS] --minutes N`: a server of its own, with members who each make a call every SECONDS,
 * at moments of their own. Prints the times of calls, failures, and the memory of the server at the beginning, in the middle and at the end.
 */
const lab: Bench = async ({ words, minutes, seed = '20261118' }) => {
  const [people = 200, agents = 500, everySeconds = 20] = words.map(Number);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-people-'));
  const postgres = ownPostgres(directory, 5747);
  let server: ChildProcess | undefined;
  try {
    const database = `${postgres.url()}?schema=people_lab`;
    const library = openLibrary({ url: database });
    const tokens = await makeMembers(library, people, agents);
    const repository = fixtureRepository(join(directory, 'shop'));
    const started = await serve(repository.path, { database, home: join(directory, 'home') });
    server = started.server;
    const { url, memory } = started;
    const random = randomNumbers(Number(seed));
    const until = Date.now() + minutes * 60_000;
    const times: number[] = [];
    const failures = new Map<string, number>();
    const megabytes: number[] = [];
    let writes = 0;
    const member = async (token: string, who: number) => {
      await sleep(random() * everySeconds * 1000);
      for (let round = 0; Date.now() < until; round++) {
        const all = calls(round, who);
        const chosen = all[Math.floor(random() * all.length)] ?? { operation: 'who_am_i', input: {} };
        const began = performance.now();
        const said = await ask(url, token, chosen);
        times.push(performance.now() - began);
        if (said !== '200') failures.set(said, (failures.get(said) ?? 0) + 1);
        else if (chosen.operation === 'store_entry') writes += 1;
        await sleep(Math.max(0, everySeconds * 1000 - (performance.now() - began)));
      }
    };
    const watch = (async () => {
      while (Date.now() < until) {
        megabytes.push(memory());
        await sleep(5_000);
      }
    })();
    await Promise.all([...tokens.map(member), watch]);
    const audit = await openAudit({ library, clock: systemClock }).verify();
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    const third = Math.max(1, Math.floor(megabytes.length / 3));
    const mean = (part: number[]) =>
      Math.round(part.reduce((sum, each) => sum + each, 0) / (part.length || 1));
    console.log(
      `${people} people, ${agents} agents, ${minutes} minutes: ${times.length} calls, ${writes} writes, ${[...failures.values()].reduce((sum, each) => sum + each, 0)} failures ${JSON.stringify([...failures])}`,
    );
    console.log(`p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${Math.round(sorted.at(-1) ?? 0)} ms`);
    console.log(
      `memory of the server: ${mean(megabytes.slice(0, third))} MB in the first third, ${mean(megabytes.slice(third, 2 * third))} MB in the second, ${mean(megabytes.slice(2 * third))} MB in the last`,
    );
    console.log(`audit: ${audit.records} records, ${audit.problem ?? 'none changed'}`);
    if (failures.size > 0 || audit.problem) process.exitCode = 1;
    await library.close();
  } finally {
    server?.kill();
    postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
};

async function makeMembers(
  library: ReturnType<typeof openLibrary>,
  people: number,
  agents: number,
): Promise<string[]> {
  const store = openPeople({ library, clock: systemClock });
  const tokens: string[] = [];
  for (let at = 0; at < people + agents; at++) {
    const isPerson = at < people;
    const name = isPerson ? `person ${at}` : `agent ${at}`;
    const person = isPerson ? undefined : `person ${at % people}`;
    await store.add({ name, kind: isPerson ? 'person' : 'agent', person, by: 'lab' });
    if (isPerson) await store.giveRight({ name, repository: '*', right: 'writer', by: 'lab' });
    tokens.push((await store.createToken({ member: name, label: 'lab', days: 1 })).token);
  }
  return tokens;
}

async function ask(url: string, token: string, { operation, input }: Call): Promise<string> {
  try {
    const reply = await fetch(`${url}/api/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const text = await reply.text();
    return reply.status === 200 ? '200' : `${operation} ${reply.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return `${operation} ${error}`;
  }
}

async function serve(cwd: string, { database, home }: { database: string; home: string }) {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts');
  const server = spawn(process.execPath, [main, 'serve', '--port', '0', '--no-watch', '--json'], {
    cwd,
    env: { ...process.env, SYLK_HOME: home, SYLK_TEAM_DATABASE: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', (data: Buffer) => {
      const found = /"url":"([^"]+)"/.exec(data.toString())?.[1];
      if (found) resolve(found);
    });
    server.on('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  const memory = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  return { server, url, memory };
}

export default lab;
