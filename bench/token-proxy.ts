import { createServer, request as send } from 'node:http';

/** Adds the token for programs that cannot send one. Host and Origin pass as they came: they are part of what is tested. */
export async function startTokenProxy(url: string, token: string): Promise<{ url: string; close(): void }> {
  const target = new URL(url);
  const own = { port: 0 };
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const local = (value: string | undefined) => value?.replace(`:${own.port}`, `:${target.port}`);
    headers.host = local(headers.host) ?? target.host;
    if (headers.origin) headers.origin = local(headers.origin) ?? headers.origin;
    const forward = send(
      { host: target.hostname, port: target.port, path: request.url, method: request.method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forward.on('error', () => response.destroy());
    request.on('close', () => {
      if (!request.complete) forward.destroy();
    });
    response.on('close', () => forward.destroy());
    request.pipe(forward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  own.port = (server.address() as { port: number }).port;
  return {
    url: `http://127.0.0.1:${own.port}${target.pathname}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
