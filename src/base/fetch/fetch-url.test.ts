import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SylkError } from '../errors.ts';
import { type FetchOptions, fetchUrl, isPublicAddress, sameSite } from './index.ts';

async function site(listener: RequestListener): Promise<{ url: string; host: string; hits: () => number }> {
  const server: Server = createServer(listener);
  let connections = 0;
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, hits: () => connections };
}

const reasonOf = async (url: string, options: FetchOptions = {}): Promise<unknown> => {
  try {
    await fetchUrl(url, options);
    return 'fetched';
  } catch (error) {
    if (!(error instanceof SylkError)) throw error;
    return error.data?.['reason'];
  }
};

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    'not an address',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('a site is a host and the hosts below it, on the same port', () => {
    const same = (a: string, b: string) => sameSite(new URL(a), new URL(b));
    expect(same('https://example.org/a', 'https://docs.example.org/')).toBe(true);
    expect(same('http://example.org/', 'https://www.example.org/')).toBe(true);
    expect(same('https://example.org/', 'https://evil-example.org/')).toBe(false);
    expect(same('https://example.org/', 'https://example.org:8443/')).toBe(false);
    expect(same('http://127.0.0.1:1/', 'http://127.0.0.1:2/')).toBe(false);
  });
});

describe('a private address is never connected to', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    'localhost',
    '[::ffff:127.0.0.1]',
  ])('written as %s', async (host) => {
    const canary = await site((_request, response) => response.end('secret'));
    const port = new URL(canary.url).port;
    expect(await reasonOf(`http://${host}:${port}/`)).toBe('private_address');
    expect(canary.hits()).toBe(0);
  });

  test('by a name of which one of several addresses is private', async () => {
    const lookup = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await reasonOf('http://two-faced.example/', { lookup })).toBe('private_address');
  });

  test('by a redirect', async () => {
    const canary = await site((_request, response) => response.end('secret'));
    const open = await site((_request, response) => {
      response.writeHead(302, { location: `${canary.url}/latest/meta-data` }).end();
    });
    expect(await reasonOf(open.url, { allowHosts: [open.host] })).toBe('private_address');
    expect(canary.hits()).toBe(0);
  });

  test('by a name that changes its answer: it is asked once, and what it answered is connected to', async () => {
    let asked = 0;
    const lookup = async () => {
      asked++;
      return [{ address: asked === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const page = await site((request, response) => response.end(request.headers.host));
    const port = new URL(page.url).port;
    const found = await fetchUrl(`http://flip.example:${port}/`, {
      lookup,
      allowHosts: [`flip.example:${port}`],
    });
    expect(found.text()).toBe(`flip.example:${port}`);
    expect(asked).toBe(1);
  });

  test('allow_hosts opens one host and port, not its neighbours', async () => {
    const open = await site((_request, response) => response.end('ok'));
    const closed = await site((_request, response) => response.end('secret'));
    expect((await fetchUrl(open.url, { allowHosts: [open.host] })).text()).toBe('ok');
    expect(await reasonOf(closed.url, { allowHosts: [open.host] })).toBe('private_address');
    expect(closed.hits()).toBe(0);
  });
});

describe('limits', () => {
  /** Time is given freely where size is tried, and the other way round: a busy machine changes no answer. */
  const small = { maxBytes: 10_000, maxDecodedBytes: 50_000 };
  const short = { timeoutMs: 1500, idleMs: 300 };

  test('an endless body is cut off by size', async () => {
    const endless = await site((_request, response) => {
      const push = () => {
        while (!response.destroyed && response.write('x'.repeat(4096)));
      };
      response.on('drain', push);
      push();
    });
    expect(await reasonOf(endless.url, { allowHosts: [endless.host], limits: small })).toBe('too_large');
  });

  test('a body that announces too much is not read', async () => {
    const announced = await site((_request, response) => {
      response.writeHead(200, { 'content-length': 99_999_999 });
      response.write('x');
    });
    expect(await reasonOf(announced.url, { allowHosts: [announced.host], limits: small })).toBe('too_large');
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('a %s bomb is cut off by its unpacked size', async (encoding, pack) => {
    const bomb = await site((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(Buffer.alloc(2_000_000)));
    });
    expect(await reasonOf(bomb.url, { allowHosts: [bomb.host], limits: small })).toBe('too_large_decoded');
  });

  test('a body that drips is cut off by time, one that falls silent by silence', async () => {
    const drip = await site((_request, response) => {
      const timer = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(timer));
    });
    const silent = await site((_request, response) => response.write('.'));
    expect(await reasonOf(drip.url, { allowHosts: [drip.host], limits: short })).toBe('too_slow');
    expect(await reasonOf(silent.url, { allowHosts: [silent.host], limits: short })).toBe('too_slow');
  });

  test('redirects without end, broken packing, strange packing and other types each have their name', async () => {
    const strange = await site((request, response) => {
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (request.url === '/broken')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
      else if (request.url === '/strange') response.writeHead(200, { 'content-encoding': 'lzma' }).end('x');
      else if (request.url === '/image') response.writeHead(200, { 'content-type': 'image/png' }).end('x');
      else if (request.url === '/lie')
        response.writeHead(200, { 'content-type': 'text/html' }).end('\0\0\x7fELF');
      else response.writeHead(500).end();
    });
    const options = { allowHosts: [strange.host], types: ['text/'], limits: small };
    expect(await reasonOf(`${strange.url}/loop`, options)).toBe('redirect_limit');
    expect(await reasonOf(`${strange.url}/broken`, options)).toBe('bad_encoding');
    expect(await reasonOf(`${strange.url}/strange`, options)).toBe('bad_encoding');
    expect(await reasonOf(`${strange.url}/image`, options)).toBe('wrong_type');
    expect(await reasonOf(`${strange.url}/lie`, options)).toBe('wrong_type');
    expect(await reasonOf(`${strange.url}/other`, options)).toBe('http_status');
    expect(await reasonOf('ftp://example.org/')).toBe('scheme');
    expect(await reasonOf('https://user:pass@example.org/')).toBe('credentials_in_url');
    expect(await reasonOf('nonsense')).toBe('bad_url');
  });

  test('the caller can stop it', async () => {
    const silent = await site((_request, response) => response.write('.'));
    const stop = new AbortController();
    const fetching = fetchUrl(silent.url, { allowHosts: [silent.host], signal: stop.signal });
    stop.abort();
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('headers', () => {
  test('what was sent to one origin is not sent to the next', async () => {
    const seen: unknown[] = [];
    const second = await site((request, response) => {
      seen.push(request.headers.authorization);
      response.end('there');
    });
    const first = await site((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: second.url }).end();
    });
    await fetchUrl(first.url, {
      allowHosts: [first.host, second.host],
      headers: { authorization: 'Bearer x' },
    });
    expect(seen).toEqual(['Bearer x', undefined]);
  });

  test('a redirect that the caller does not want is refused with its target', async () => {
    const first = await site((_request, response) =>
      response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
    );
    const options = { allowHosts: [first.host], mayRedirect: sameSite };
    await expect(fetchUrl(first.url, options)).rejects.toMatchObject({
      code: 'DENIED',
      data: { reason: 'redirect_refused', target: 'https://elsewhere.example/' },
    });
  });

  test('what is posted arrives whole, and is not sent on to where a redirect points', async () => {
    const seen: string[] = [];
    const server = await site(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
      if (request.url === '/moved') response.writeHead(307, { location: '/' }).end();
      else response.end('thanks');
    });
    const post = { type: 'text/plain', body: Buffer.from('käse') };
    const options = { allowHosts: [server.host], post };
    expect((await fetchUrl(server.url, options)).text()).toBe('thanks');
    expect(await reasonOf(`${server.url}/moved`, options)).toBe('redirect_refused');
    expect(seen).toEqual(['POST / text/plain käse', 'POST /moved text/plain käse']);
  });
});

describe('text', () => {
  test.each([
    ['header', 'text/html; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1')],
    ['document', 'text/html', Buffer.from('<meta charset="latin1">caf\xe9', 'latin1')],
    ['mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffcaf\xe9', 'utf16le')],
    ['bytes of UTF-8', 'text/plain', Buffer.from('caf\xe9')],
    ['bytes of nothing in particular', 'text/plain', Buffer.from('caf\xe9', 'latin1')],
    ['header with a charset that does not exist', 'text/plain; charset=klingon', Buffer.from('caf\xe9')],
  ])('is read by %s', async (_how, type, body) => {
    const page = await site((_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(body),
    );
    expect((await fetchUrl(page.url, { allowHosts: [page.host] })).text()).toContain('caf\xe9');
  });

  test('a charset that lies leaves marks, never a failure', async () => {
    const page = await site((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
        .end(Buffer.from([0x61, 0xff, 0x62])),
    );
    expect((await fetchUrl(page.url, { allowHosts: [page.host] })).text()).toBe('a\ufffdb');
  });
});
