import { fetchUrl } from '../../../base/fetch/index.ts';
import type { GitRemote } from './git-remote.ts';
import type { Outside } from './outside.ts';

/**
 * Asks the server for file sizes without contents: git's protocol has `object-info` for it, but its
 * client has no command. Undefined when the server does not support it or does not answer.
 */
export async function sizesOf(
  remote: GitRemote,
  objects: string[],
  outside: Outside,
  inARequest = 5_000,
): Promise<Map<string, number> | undefined> {
  if (!remote.tellsSizes) return undefined;
  const wanted = [...new Set(objects)];
  const sizes = new Map<string, number>();
  for (let from = 0; from < wanted.length; from += inARequest) {
    const reply = await ask(remote.url, wanted.slice(from, from + inARequest), outside);
    if (!reply) return undefined;
    for (const [object, size] of reply) sizes.set(object, size);
  }
  return sizes;
}

/** A server that refuses or disconnects has not answered: that is no reason to stop. */
async function ask(
  url: string,
  objects: string[],
  outside: Outside,
): Promise<Map<string, number> | undefined> {
  const hash = objects[0]?.length === 64 ? 'sha256' : 'sha1';
  const body = Buffer.from(
    [
      packet('command=object-info'),
      packet(`object-format=${hash}`),
      '0001',
      packet('size'),
      ...objects.map((object) => packet(`oid ${object}`)),
      '0000',
    ].join(''),
  );
  try {
    const reply = await fetchUrl(`${url}/git-upload-pack`, {
      ...outside,
      headers: { 'git-protocol': 'version=2', accept: 'application/x-git-upload-pack-result' },
      post: { type: 'application/x-git-upload-pack-request', body },
      limits: { maxBytes: 2_000_000, maxDecodedBytes: 2_000_000, timeoutMs: 30_000 },
    });
    return readSizes(reply.body);
  } catch (error) {
    if (outside.signal?.aborted) throw error;
    return undefined;
  }
}

const packet = (line: string): string => `${(line.length + 5).toString(16).padStart(4, '0')}${line}\n`;

function readSizes(body: Buffer): Map<string, number> {
  const sizes = new Map<string, number>();
  for (let at = 0; at + 4 <= body.length; ) {
    const length = Number.parseInt(body.subarray(at, at + 4).toString('latin1'), 16);
    if (!(length >= 4)) break;
    const line = body.subarray(at + 4, at + length).toString('latin1');
    const [, object, size] = /^([0-9a-f]{40,64}) (\d{1,15})\n?$/.exec(line) ?? [];
    if (object && size) sizes.set(object, Number(size));
    at += length;
  }
  return sizes;
}
