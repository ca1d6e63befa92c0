import { SylkError } from '../../../base/errors.ts';
import { fetchUrl, sameSite, type VettedHost, vetHost } from '../../../base/fetch/index.ts';
import { createOwnGit, type Git, requireRemote } from '../../../base/git/index.ts';
import type { Outside } from './outside.ts';

/** A remote repository whose address was checked: git connects to that address and follows no redirects. */
export interface GitRemote {
  /** Its final location, after redirects. */
  url: string;
  /** `owner/name`, for display. */
  name: string;
  /** The server supports partial clones, so inspection is cheap. Unknown until asked for ssh. */
  filters: boolean;
  /** The server reports file sizes without sending them. */
  tellsSizes: boolean;
  /** git bound to `directory`, configured for this remote. */
  git(directory: string): Git;
  /** Prepended to the command. */
  settings: string[];
}

/** What is known of a repository before fetching. */
export interface GitMetadata {
  name: string;
  commit: string;
  ref: string;
  files?: number;
  bytes?: number;
  /** Files that will be skipped: images, archives, keys. */
  leftOut?: number;
  language?: string;
  description?: string;
  filtered: boolean;
  /** Requested paths that no file matches. */
  unmatched?: string[];
}

export async function openGitRemote(address: string, outside: Outside): Promise<GitRemote> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  const local = outside.allowFile && scheme === 'file';
  const extra = [...(scheme === 'http' ? ['http'] : []), ...(local ? ['file'] : [])];
  requireRemote(address, extra);
  const protocols = ['https', 'ssh', ...extra].join(':');
  const open = (url: string, settings: string[], offers: Offers, env = {}): GitRemote => ({
    url,
    name: repositoryName(url),
    ...offers,
    settings: [...limits, ...settings],
    git: (directory) => createOwnGit(directory, { protocols, env }),
  });
  if (local) return open(address, [], { filters: true, tellsSizes: false });
  if (scheme !== 'https' && scheme !== 'http') {
    const { host, address: judged } = await vetHost(sshAddress(address), outside);
    const ssh = `ssh -oBatchMode=yes -oHostName=${judged} -oHostKeyAlias=${host}`;
    return open(address, [], { filters: false, tellsSizes: false }, { GIT_SSH_COMMAND: ssh });
  }
  const { url, ...offers } = await discover(address, outside);
  const vetted = await vetHost(new URL(url), outside);
  return open(url, ['-c', `http.curloptResolve=${pin(vetted)}`], offers);
}

type Offers = Pick<GitRemote, 'filters' | 'tellsSizes'>;

const limits = [
  '-c',
  'http.followRedirects=false',
  '-c',
  'http.lowSpeedLimit=1000',
  '-c',
  'http.lowSpeedTime=30',
  '-c',
  'protocol.version=2',
  '-c',
  'fetch.recurseSubmodules=false',
];

const pin = ({ host, port, address, family }: VettedHost): string =>
  `${host}:${port}:${family === 6 ? `[${address}]` : address}`;

/** Sends git's request through the guarded fetch: a redirect is checked before git could follow it. */
async function discover(address: string, outside: Outside): Promise<{ url: string } & Offers> {
  const plain = address.replace(/\/+$/, '');
  const suffix = '/info/refs?service=git-upload-pack';
  try {
    const reply = await fetchUrl(`${plain}${suffix}`, {
      ...outside,
      headers: { 'git-protocol': 'version=2' },
      mayRedirect: sameSite,
      limits: { maxBytes: 20_000_000, timeoutMs: 30_000 },
    });
    if (!reply.type.startsWith('application/x-git-upload-pack')) {
      throw new SylkError('VALIDATION_ERROR', `${address} is not a git repository.`, {
        hint: 'Give the URL that `git clone` takes; for a page use type "web".',
        data: { reason: 'not_a_repository' },
      });
    }
    const url = reply.url.includes(suffix) ? reply.url.replace(suffix, '') : plain;
    const offered = reply.body.subarray(0, 4096).toString('latin1');
    return {
      url,
      filters: /fetch=[^\n]*\bfilter\b/.test(offered),
      tellsSizes: /^[0-9a-f]{4}object-info\b/m.test(offered),
    };
  } catch (error) {
    // A private repository asks for credentials first; git uses the person's own helper for that.
    if (error instanceof SylkError && [401, 403].includes(Number(error.data?.['status'])))
      return { url: plain, filters: true, tellsSizes: false };
    throw error;
  }
}

function sshAddress(address: string): URL {
  const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)/.exec(address);
  const url = short ? URL.parse(`ssh://${short[1]}/`) : URL.parse(address);
  if (!url || !/^[a-z0-9.:[\]-]+$/i.test(url.hostname))
    throw new SylkError('VALIDATION_ERROR', `Not a URL: ${JSON.stringify(address.slice(0, 200))}`);
  return url;
}

/** The last two parts of the path: `DioxusLabs/dioxus`. */
export function repositoryName(url: string): string {
  const path = url.replace(/^[a-z+.-]+:\/\/[^/]*\/|^[^/]*:/i, '').replace(/\.git$|\/+$/g, '');
  return path.split('/').filter(Boolean).slice(-2).join('/') || url;
}

export const isGitHub = (url: string): boolean =>
  /^(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:]/i.test(url);
