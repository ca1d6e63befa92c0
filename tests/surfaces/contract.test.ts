import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { allOperations, nouns } from '../../src/operations/list.ts';
import { type AnyOperation, isForPersons } from '../../src/operations/operation.ts';
import { spellingNames, spellingOf } from '../../src/operations/spellings.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { freshPostgres } from '../support/postgres.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const operations = await allOperations();

describe('the table that is known without loading', () => {
  test('names exactly the operations that are defined', () => {
    const declared = nouns.flatMap((noun) => Object.keys(noun.verbs));
    expect([...declared].sort()).toEqual(operations.map((operation) => operation.name).sort());
  });

  test('gives no name and no verb twice', () => {
    const names = [...nouns.flatMap((noun) => Object.keys(noun.verbs)), ...spellingNames];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const verbs = [
      ...nouns.flatMap((noun) => Object.values(noun.verbs)),
      ...spellingNames.map((name) => spellingOf(name)?.command),
    ].filter((verb) => verb !== null && verb !== undefined);
    expect(verbs.filter((verb, at) => verbs.indexOf(verb) !== at)).toEqual([]);
  });

  test('every operation has a usable name, a summary and a valid example', () => {
    for (const operation of operations) {
      expect(operation.name).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
      expect(operation.summary.length, operation.name).toBeGreaterThan(20);
      expect(operation.examples.length, operation.name).toBeGreaterThan(0);
      for (const example of operation.examples)
        expect(
          operation.input.safeParse(example).success,
          `${operation.name} ${JSON.stringify(example)}`,
        ).toBe(true);
    }
  });
});

/** Ids, times, places and durations differ from run to run; nothing else may. */
function steady(value: unknown, root: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(root, '<root>')
    .replaceAll(join(root, '..'), '<place>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\b[a-z]{2,12}_0[0-9a-z]{28,}/g, '<id>')
    // Each surface is another caller, and who said something is kept with it.
    .replace(
      /"(source|client|name|requested_by|by|author)":"(?:person|person:person|user|command line|api|network|client:(?:person|api|network))"/g,
      '"$1":"<caller>"',
    )
    .replace(/\[agent (?:command line|api|network),/g, '[agent <caller>,')
    .replace(/linked by (?:person|api|network)/g, 'linked by <caller>')
    // The name of the caller stands in a briefing and has its tokens; a person shares a link with all, an agent does not.
    .replace(/"tokens":\d+,"tier"/g, '"tokens":0,"tier"')
    .replace(/"shared":(?:true|false)/g, '"shared":0')
    // A server has read the file before, a command has not.
    .replace(/"(cache_hit|hit_count)":(?:true|false|\d+)/g, '"$1":0')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(
      /"([a-z_]*(?:_ms|_at|duration|elapsed|seconds|pid|timestamp|mtime|read_at|since|age_[a-z]+))":[\d.]+/g,
      '"$1":0',
    );
  return JSON.parse(text);
}

interface Answer {
  ok: boolean;
  value: unknown;
}

interface Face {
  root: string;
  call(operation: AnyOperation, input: unknown): Promise<Answer>;
}

function copy(from: string): string {
  const at = join(temporaryDirectory('face'), 'shop');
  cpSync(from, at, { recursive: true });
  return at;
}

/** Its library is in PostgreSQL: a person at the terminal there has every right. */
function cliFace(root: string, database: string): Face {
  const hub = join(root, '..', 'hub.git');
  spawnSync('git', ['init', '--quiet', '--bare', hub]);
  return {
    root,
    call: async (operation, input) => {
      let out = '';
      let err = '';
      const io = {
        out: (text: string) => {
          out += text;
        },
        err: (text: string) => {
          err += text;
        },
        env: {
          ...process.env,
          SYLK_HOME: join(root, '..', 'home'),
          SYLK_TEAM_DATABASE: database,
          SYLK_TEAM_HUB: hub,
        },
        cwd: root,
        terminal: false,
        colour: false,
      };
      const code = await runCli(['call', operation.name, JSON.stringify(input), '--quiet'], io);
      // An answer that reports a failure is an answer, whatever the command ends with.
      return code === 0 || out !== ''
        ? { ok: true, value: JSON.parse(out) }
        : { ok: false, value: JSON.parse(err).error.code };
    },
  };
}

async function serve(root: string) {
  const workspace = createWorkspace({
    directories: [root],
    env: { ...process.env, SYLK_HOME: join(root, '..', 'home') },
    flags: [],
  });
  const server = await serveHttp({
    workspace,
    selection: { toolsets: ['all'], allow: [], deny: [], readOnly: false, structured: true },
    port: 0,
  });
  const { readFileSync } = await import('node:fs');
  const { token } = JSON.parse(readFileSync(server.tokenFile, 'utf8')) as { token: string };
  return {
    server,
    token,
    close: async () => {
      await server.close();
      await workspace.close();
    },
  };
}

function httpFace(root: string, url: string, token: string): Face {
  return {
    root,
    call: async (operation, input) => {
      const reply = await fetch(`${url}/api/${operation.name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      const body = (await reply.json()) as { error?: { code: string } };
      return reply.ok ? { ok: true, value: body } : { ok: false, value: body.error?.code };
    },
  };
}

function mcpFace(root: string, client: Client): Face {
  return {
    root,
    call: async (operation, input) => {
      const reply = await client.callTool({
        name: operation.name,
        arguments: input as Record<string, unknown>,
      });
      if (!reply.isError) return { ok: true, value: reply.structuredContent };
      const first = (reply.content as Array<{ text: string }>)[0]?.text ?? '';
      return {
        ok: false,
        value: /^APPROVAL_REQUIRED/.test(first) ? 'APPROVAL_REQUIRED' : first.split(':')[0],
      };
    },
  };
}

/** A command is a process of its own: what a process counts is asked before it counts, and where sessions are, once there are some. */
function turnOf({ name }: AnyOperation): number {
  const noun = nouns.find(({ verbs }) => name in verbs)!.noun;
  return noun === 'bus' ? 0 : noun === 'routing' ? 2 : 1;
}

/** What two answers are from the first place on where they differ. */
function apart(one: unknown, other: unknown): string {
  const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
  let at = 0;
  while (left[at] === right[at]) at++;
  return [left, right].map((text) => `  …${text.slice(Math.max(0, at - 200), at + 300)}`).join('\n');
}

/** Only a team has them. */
const ofTeams = new Set(['people', 'audit']);

/** Run first, or about the machine, the process and the moment: free space, runs, the time of a report. */
const notCompared = new Set(['index_repository', 'list_calls', 'run_doctor', 'collect_debug_bundle']);

test('every example answers the same through command line, HTTP and MCP, from a file and from PostgreSQL', async () => {
  const original = fixtureRepository(join(temporaryDirectory('contract'), 'shop'));
  const [cliRoot, httpRoot, mcpRoot] = [copy(original.path), copy(original.path), copy(original.path)];
  const http = await serve(httpRoot);
  const overMcp = await serve(mcpRoot);
  const client = new Client({ name: 'contract', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${overMcp.server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${overMcp.token}` } },
    }),
  );
  const faces = [
    cliFace(cliRoot, await freshPostgres()),
    httpFace(httpRoot, http.server.url, http.token),
    mcpFace(mcpRoot, client),
  ];
  try {
    const differences: string[] = [];
    const indexing = operations.filter((operation) => operation.name === 'index_repository');
    const rest = operations
      .filter((operation) => !isForPersons(operation) && !notCompared.has(operation.name))
      .filter(({ name }) => !nouns.some(({ noun, verbs }) => ofTeams.has(noun) && name in verbs))
      .sort((one, other) => turnOf(one) - turnOf(other));
    for (const operation of [...indexing, ...rest]) {
      for (const example of operation.examples) {
        const answers: unknown[] = [];
        for (const face of faces) answers.push(steady(await face.call(operation, example), face.root));
        for (const answer of answers.slice(1)) {
          if (JSON.stringify(answer) !== JSON.stringify(answers[0]))
            differences.push(`${operation.name} ${JSON.stringify(example)}\n${apart(answers[0], answer)}`);
        }
      }
    }
    expect(differences).toEqual([]);
  } finally {
    await client.close();
    await http.close();
    await overMcp.close();
  }
});
