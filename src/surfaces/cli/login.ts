import { SylkError } from '../../base/errors.ts';
import { person, system } from '../../base/files/index.ts';
import { jsonText, sanitizeTerminalText } from '../../base/terminal-text.ts';
import { requireLogin, syncTeam } from '../../operations/memory/team.ts';
import type { CommandRun } from './command.ts';
import { appFor } from './run-command.ts';

const usage =
  'Usage: sylk login https://SERVER [--repository NAME] [--token-file FILE, or - for standard input]';

/** Joins the repository on this machine to the team of a server. The token is asked for, or read from a file: never an argument, which others see. */
export const run: CommandRun = async (args, flags, io) => {
  const { url, repository, tokenFile } = readArguments(args);
  const app = appFor(flags, io);
  try {
    const given =
      tokenFile === undefined
        ? system.askOnTerminal('Token (`sylk people token NAME` on the server prints one): ')
        : person.read(tokenFile === '-' ? '/dev/stdin' : tokenFile).toString();
    const token = given?.trim() ?? '';
    if (token === '') throw new SylkError('VALIDATION_ERROR', 'No token was given.', { hint: usage });
    const login = { url, repository, token };
    // Before anything is kept: a wrong address or token is told at once.
    await app.callTeam({ login, name: 'list_shared_entries', input: {} });
    app.saveLogin(login);
    const { sent, received } = await syncTeam(app);
    io.out(`Logged in at ${url}: ${sent} entries sent, ${received} received.\n`);
    return 0;
  } finally {
    await app.close();
  }
};

/** Ends the token on the server, where it answers, and forgets it here. */
export const logout: CommandRun = async (_args, flags, io) => {
  const app = appFor(flags, io);
  try {
    const login = requireLogin(app);
    const id = /^sylk_([0-9a-f]{12})_/.exec(login.token)?.[1];
    const ended =
      id &&
      (await app.callTeam({ login, name: 'revoke_token', input: { id } }).then(
        () => true,
        () => false,
      ));
    app.saveLogin(undefined);
    io.out(`Logged out of ${login.url}.\n`);
    if (!ended)
      io.err('The token could not be ended there: ask an admin to revoke it (sylk people revoke).\n');
    return 0;
  } finally {
    await app.close();
  }
};

export const whoami: CommandRun = async (_args, flags, io) => {
  const app = appFor(flags, io);
  try {
    const login = requireLogin(app);
    const me = Object(await app.callTeam({ login, name: 'who_am_i', input: {} }));
    const { token: _token, ...shown } = login;
    if (flags.json) io.out(`${jsonText({ ...shown, ...me })}\n`);
    else {
      const rights = [me.rights ?? []]
        .flat()
        .map((each: { repository: string; right: string }) => `${each.right} in ${each.repository}`);
      io.out(`${sanitizeTerminalText([`${me.name} (${me.kind}) at ${login.url}`, ...rights].join('\n'))}\n`);
    }
    return 0;
  } finally {
    await app.close();
  }
};

function readArguments(args: string[]): { url: string; repository: string; tokenFile: string | undefined } {
  const flagOf = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args.splice(at, 2)[1];
  };
  const [repository = '', tokenFile] = [flagOf('--repository'), flagOf('--token-file')];
  const [address = '', ...more] = args;
  const url = URL.parse(address);
  if (!url || more.length > 0 || !/^https?:$/.test(url.protocol))
    throw new SylkError('VALIDATION_ERROR', 'Missing the address of the server.', { hint: usage });
  if (url.protocol === 'http:' && !/^(?:127\.|\[::1\]$|localhost$)/.test(url.hostname))
    throw new SylkError(
      'DENIED',
      `${url.origin} is not encrypted: your token would cross the network in the clear.`,
      {
        hint: 'Use https://.',
      },
    );
  return { url: url.origin + url.pathname.replace(/\/+$/, ''), repository, tokenFile };
}
