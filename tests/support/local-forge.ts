import { spawn, spawnSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';

/** Serves the bare repositories of a directory the way a forge does: smart HTTP, contents left out when asked. */
export function gitBackend(root: string): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://git');
    const child = spawn('git', ['http-backend'], {
      env: {
        ...process.env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => {});
    let head = Buffer.alloc(0);
    let sent = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (sent) return void response.write(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const lines = head.subarray(0, end).toString('latin1').split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]));
      const status = Number(/^\d+/.exec(headers['Status'] ?? '')?.[0] ?? 200);
      delete headers['Status'];
      response.writeHead(status, headers);
      response.write(head.subarray(end + 4));
      sent = true;
    });
    child.on('close', () => response.end());
    response.on('close', () => child.kill());
  };
}

/** The same without git's way to tell sizes, as most forges are. */
export function silentBackend(root: string): RequestListener {
  const backend = gitBackend(root);
  return (request, response) => {
    const write = response.write.bind(response) as (chunk: Buffer) => boolean;
    response.write = (chunk: Buffer) =>
      write(Buffer.from(chunk.toString('latin1').replace('0010object-info\n', ''), 'latin1'));
    backend(request, response);
  };
}

/** A bare copy of a repository under `<root>/<name>.git` that answers like a forge. */
export function publishBare(repository: string, root: string, name: string, filters = true): string {
  const path = join(root, `${name}.git`);
  for (const args of [
    ['clone', '-q', '--bare', '--no-local', repository, path],
    ['-C', path, 'config', 'uploadpack.allowFilter', String(filters)],
    ['-C', path, 'config', 'uploadpack.allowAnySHA1InWant', 'true'],
    ['-C', path, 'config', 'transfer.advertiseObjectInfo', 'true'],
  ]) {
    const done = spawnSync('git', args, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  }
  return path;
}
