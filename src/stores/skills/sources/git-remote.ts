import { join } from 'node:path';
import { SylkError } from '../../../base/errors.ts';
import { type Lookup, type VettedHost, vetHost } from '../../../base/fetch/index.ts';
import { person, state } from '../../../base/files/index.ts';
import { createOwnGit, type Git, requireRemote } from '../../../base/git/index.ts';

export interface GitRemoteOptions {
  url: string;
  /** For https: sent as the password of `x-access-token`, never on a command line. */
  token?: string;
  /** For ssh. */
  sshKey?: { path: string; passphrase?: string };
  /** `host` or `host:port` that may be private or plain http, by a person's own settings. */
  allowHosts?: string[];
  /** Tests only: `file://` remotes. */
  allowFileRemotes?: boolean;
  /** Named by others: git connects to the checked address, and to no name that cannot be checked. */
  pinAddress?: boolean;
  /** Tests only: how names are resolved. */
  lookup?: Lookup;
}

/** https and ssh; plain http or private hosts only if a person's own settings name them. */
export function requireGitRemote(options: GitRemoteOptions): void {
  const { url, allowHosts = [] } = options;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const web = parsed && /^https?:$/.test(parsed.protocol) ? parsed : undefined;
  const allowed = web !== undefined && (allowHosts.includes(web.host) || allowHosts.includes(web.hostname));
  requireRemote(url, [...(allowed ? ['http'] : []), ...(options.allowFileRemotes ? ['file'] : [])]);
  if (web && (web.username || web.password))
    throw new SylkError('VALIDATION_ERROR', 'The URL contains credentials.', {
      hint: 'Put them into auth_token, as ${VARIABLE}.',
    });
}

/**
 * Resolves the name just before git connects, and returns the address. A name that only a proxy or an ssh
 * configuration knows is left to them, if the person named it.
 */
export async function refusePrivate({
  url,
  allowHosts = [],
  pinAddress,
  lookup,
}: GitRemoteOptions): Promise<VettedHost | undefined> {
  const place = addressOf(url);
  if (!place) return undefined;
  try {
    return await vetHost(place, { allowHosts, lookup });
  } catch (error) {
    if (pinAddress || (error instanceof SylkError && error.code === 'DENIED')) throw error;
    return undefined;
  }
}

/** Also for `git@host:path`. Undefined for a local directory. */
function addressOf(url: string): URL | undefined {
  const parsed = URL.parse(url);
  if (parsed) return /^(?:https?|ssh|git\+ssh):$/.test(parsed.protocol) ? parsed : undefined;
  const host = /^(?:[^@/:]+@)?([^/:]+|\[[^\]]+\]):/.exec(url)?.[1];
  return host ? (URL.parse(`ssh://${host}/`) ?? undefined) : undefined;
}

/** git bound to one clone, with exactly the transport and the credentials of this remote. */
export function remoteGit(
  directory: string,
  gitDirectory: string,
  options: GitRemoteOptions,
  vetted?: VettedHost,
): Git {
  const scheme = /^(http|file):/.exec(options.url)?.[1] ?? 'https:ssh';
  return createOwnGit(directory, {
    gitDirectory,
    protocols: scheme,
    env: { ...configEnvironment(options, vetted), ...sshEnvironment(directory, options, vetted) },
  });
}

/** Secret settings are passed in the environment: command lines are visible to every process. */
function configEnvironment({ url, token }: GitRemoteOptions, vetted?: VettedHost): Record<string, string> {
  const settings: Array<[string, string]> = [
    ['http.followRedirects', 'false'],
    ['credential.helper', ''],
  ];
  if (vetted) {
    const address = vetted.family === 6 ? `[${vetted.address}]` : vetted.address;
    settings.push(['http.curloptResolve', `${vetted.host}:${vetted.port}:${address}`]);
  }
  if (token !== undefined) {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    settings.push([`http.${url}.extraHeader`, `Authorization: Basic ${basic}`]);
  }
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}

function sshEnvironment(
  directory: string,
  { sshKey, pinAddress }: GitRemoteOptions,
  vetted?: VettedHost,
): Record<string, string> {
  if (pinAddress && vetted) {
    const alias = vetted.port === 22 ? vetted.host : `[${vetted.host}]:${vetted.port}`;
    return {
      GIT_SSH_COMMAND: `ssh -oBatchMode=yes -oHostName=${vetted.address} '-oHostKeyAlias=${alias.replaceAll("'", '')}'`,
    };
  }
  if (!sshKey) return {};
  if (!person.exists(sshKey.path))
    throw new SylkError('NOT_FOUND', `ssh key not found: ${sshKey.path}`, {
      hint: 'Fix ssh_key in skills.toml.',
    });
  const key = `'${sshKey.path.replaceAll("'", `'\\''`)}'`;
  if (sshKey.passphrase === undefined)
    return { GIT_SSH_COMMAND: `ssh -oBatchMode=yes -oIdentitiesOnly=yes -i ${key}` };
  // ssh asks a program for the passphrase; ours only prints a variable of its environment.
  const program = join(directory, 'askpass');
  state.write(program, '#!/bin/sh\nprintf \'%s\\n\' "$SYLK_SSH_PASSPHRASE"\n', { mode: 0o700 });
  return {
    GIT_SSH_COMMAND: `ssh -oIdentitiesOnly=yes -oNumberOfPasswordPrompts=1 -i ${key}`,
    SSH_ASKPASS: program,
    SSH_ASKPASS_REQUIRE: 'force',
    DISPLAY: ':0',
    SYLK_SSH_PASSPHRASE: sshKey.passphrase,
  };
}
