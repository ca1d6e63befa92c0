import { extname, join } from 'node:path';
import type { Hono } from 'hono';
import { product, resolveInside } from '../../base/files/index.ts';
import type { GuardedEnv } from './guard.ts';
import { plainPage, plainScript, plainStyle } from './plain-page.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};

/** The dashboard if it was built, otherwise one plain page with the state and the entry points. */
export function servePages(routes: Hono<GuardedEnv>): void {
  const built = ['../../../web/dist', 'web']
    .map((path) => join(import.meta.dirname, path))
    .find((path) => product.exists(join(path, 'index.html')));
  if (built) {
    serveBuilt(routes, built);
    return;
  }
  routes.get('/', (context) => context.html(plainPage));
  routes.get('/plain.js', (context) => context.body(plainScript, 200, { 'content-type': types['.js']! }));
  routes.get('/plain.css', (context) => context.body(plainStyle, 200, { 'content-type': types['.css']! }));
}

function serveBuilt(routes: Hono<GuardedEnv>, directory: string): void {
  const index = product.read(join(directory, 'index.html'));
  routes.get('*', (context) => {
    const path = decoded(new URL(context.req.url).pathname.slice(1));
    if (path === undefined) return context.notFound();
    const type = types[extname(path)];
    if (type && path !== 'index.html') {
      try {
        const file = resolveInside(directory, path);
        if (product.isFile(file)) {
          const lasting = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-store';
          return context.body(product.read(file), 200, { 'content-type': type, 'cache-control': lasting });
        }
      } catch {
        return context.notFound();
      }
    }
    // Every other path is a page of the dashboard, which does its own routing.
    return context.body(index, 200, { 'content-type': types['.html']! });
  });
}

/** Undefined for a path that is not valid percent-encoded text. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
