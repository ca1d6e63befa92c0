import { parseArgs } from 'node:util';
import type { App } from '../../app.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { system } from '../../base/files/index.ts';
import { showName } from '../../base/terminal-text.ts';
import { operationNames } from '../../operations/list.ts';
import { runOperation } from '../../operations/run.ts';
import { failureText, outputText } from '../shared/text.ts';
import { createWorkspace } from '../shared/workspace.ts';
import type { CommandRun } from './command.ts';
import { listenForInterrupt } from './interrupt.ts';
import type { Io } from './io.ts';
import { progressBar } from './progress-bar.ts';
import { appFor, printError } from './run-command.ts';

const defaultPort = 7717;

/** Indexes, answers a first question, then serves until stopped. `sylk up [PATH]`. */
export const run: CommandRun = async (args, flags, io) => {
  const { values, positionals } = readFlags(args);
  if (values.link) return printNewLink(positionals, flags, io);
  const workspace = createWorkspace({
    directories: [...flags.repo, ...positionals].length > 0 ? [...flags.repo, ...positionals] : [io.cwd],
    env: io.env,
    flags: flags.set,
    mode: values['no-watch'] ? 'command' : 'server',
    tell: (line) => io.err(`${showName(line)}\n`),
  });
  const app = workspace.app();
  if (await isServed(app, values, io)) {
    await workspace.close();
    return 0;
  }
  const say = (line: string) => {
    if (!flags.quiet) io.err(`${line}\n`);
  };
  const interrupt = listenForInterrupt(['SIGINT', 'SIGTERM', 'SIGHUP'], say);
  const stopped = new Promise<void>((resolve) => {
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const caller = { kind: 'person' as const, name: io.env.USER ?? 'person' };
  const bar = progressBar(io, flags.quiet);
  const call = (name: string, input: unknown) =>
    runOperation(app, { name, input, caller, signal: interrupt.signal, onEvent: bar.show });
  try {
    say(`Reading ${showName(app.repository.root)}`);
    if (operationNames().includes('index_repository')) {
      // The compiler's check of links can take minutes: it goes on while the server answers.
      const indexed = await call('index_repository', { links: values['no-watch'] });
      bar.end();
      if (!indexed.ok) {
        if (interrupt.signal.aborted) return interrupt.exitCode() ?? 130;
        const exit = printError(indexed.error, flags, io);
        // The readable part is served; the failures are printed here and reported by `sylk doctor`.
        if (!Array.isArray(indexed.error.data?.['items'])) return exit;
      } else say(outputText(indexed.operation, indexed.output).trimEnd());
    }
    if (values['first-question']) await firstQuestion(call, say);
    const asked = interrupt.exitCode();
    if (asked !== undefined) return asked;
    const { serveHttp } = await import('../http/index.ts');
    const selection = { toolsets: [], allow: [], deny: [], readOnly: values['read-only'] };
    const server = await serveHttp({
      workspace,
      selection,
      listen: values.listen,
      publicUrl: values['public-url'],
      port: await freePort(values.port),
    });
    interrupt.serving();
    if (!values['no-watch']) for (const opened of workspace.opened()) void opened.startBackground();
    if (flags.json) io.out(`${JSON.stringify({ url: server.url, token_file: server.tokenFile })}\n`);
    else
      io.out(
        `\nAPI        ${server.url}/api/<operation>   (${server.url}/api/openapi.json)\nMCP        ${server.url}/mcp   (token in ${server.tokenFile}; or: sylk mcp install)\nSkills     ${server.url}/api   (for another Sylk; token in ${server.skillsTokenFile})\n`,
      );
    if (!system.writeToTerminal(`Dashboard  ${server.link()}\nStop with Ctrl-C.\n`))
      say('Dashboard  Run `sylk up --link` in a terminal: it prints a link that works once.');
    await stopped;
    await server.close();
    return workspace.problems().length > 0 ? 1 : 0;
  } finally {
    bar.end();
    await workspace.close();
  }
};

/** One server is enough for a repository: whoever starts another gets the way to the first. A port of one's own asks for a second. */
async function isServed(app: App, values: ReturnType<typeof readFlags>['values'], io: Io): Promise<boolean> {
  if (values.port !== undefined) return false;
  const { newLink, tokenFileOf } = await import('../http/index.ts');
  const link = await newLink(tokenFileOf(app), app.user.data).catch(() => undefined);
  if (link === undefined) return false;
  const [url = ''] = link.split('/#');
  io.out(`This repository is served already: ${url}\n`);
  if (!system.writeToTerminal(`Dashboard  ${link}\n`))
    io.err('Run `sylk up --link` in a terminal: it prints a link that works once.\n');
  return true;
}

/** A link signs its reader in as the person, so it goes to the terminal device and never to a pipe or a file. */
const printNewLink: CommandRun = async ([path], flags, io) => {
  const app = appFor(path === undefined ? flags : { ...flags, repo: [path] }, io);
  try {
    const { newLink, tokenFileOf } = await import('../http/index.ts');
    if (system.writeToTerminal('')) {
      system.writeToTerminal(`Dashboard  ${await newLink(tokenFileOf(app), app.user.data)}\n`);
      return 0;
    }
    throw new SylkError(
      'DENIED',
      'A dashboard link is for a person, and there is no terminal to print it on.',
      {
        hint: 'Run `sylk up --link` yourself in a terminal.',
      },
    );
  } finally {
    await app.close();
  }
};

type Call = (name: string, input: unknown) => ReturnType<typeof runOperation>;

/** Two answers that every repository has: a summary, and what changed lately where most did. */
async function firstQuestion(call: Call, say: (line: string) => void): Promise<void> {
  const show = async (command: string, name: string, input: unknown) => {
    const outcome = await call(name, input);
    say(`\n$ ${command}`);
    say(outcome.ok ? outputText(outcome.operation, outcome.output).trimEnd() : failureText(outcome.error));
    return outcome.ok ? outcome.output : undefined;
  };
  const summary = (await show('sylk summary', 'get_repository_summary', { remember: false })) as
    | { hottest?: Array<{ area: string }> }
    | undefined;
  const area = summary?.hottest?.find((each) => each.area !== '.')?.area;
  const question = area ? `what changed lately in ${area}` : 'what are the latest changes';
  await show(`sylk ask ${quoted(question)}`, 'ask', { question });
}

/** As a shell takes it, whatever stands in it. */
const quoted = (text: string): string =>
  /[`$\\"!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;

function readFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        'read-only': { type: 'boolean', default: false },
        'no-watch': { type: 'boolean', default: false },
        'first-question': { type: 'boolean', default: false },
        link: { type: 'boolean', default: false },
        listen: { type: 'string' },
        'public-url': { type: 'string' },
      },
    });
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', messageOf(error), {
      hint: 'Usage: sylk up [PATH] [--port N] [--read-only] [--no-watch], or sylk up --link',
    });
  }
}

/** The default port if it is free, so that bookmarks keep working; otherwise any. A requested port is never replaced. */
async function freePort(asked: string | undefined): Promise<number> {
  if (asked !== undefined) {
    const port = Number(asked);
    if (!Number.isInteger(port) || port < 0 || port > 65535)
      throw new SylkError('VALIDATION_ERROR', `Invalid port: ${asked}`, {
        hint: 'Use --port 0 for any free port.',
      });
    return port;
  }
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(0));
    probe.listen(defaultPort, '127.0.0.1', () => probe.close(() => resolve(defaultPort)));
  });
}
