import type { Hono } from 'hono';
import type { App } from '../../app.ts';
import { runOperation } from '../../operations/run.ts';
import { outputText } from '../shared/text.ts';
import type { GuardedEnv } from './guard.ts';

const patienceMs = 5000;

/**
 * For whoever watches over a server: whether it lives, and whether it can answer. They say nothing else, so they need no token and are
 * asked by any name.
 */
export function serveHealth(routes: Hono<GuardedEnv>, app: () => App): void {
  routes.get('/healthz', (context) => context.json({ status: 'ok' }));
  routes.get('/readyz', async (context) => {
    const isReady = await Promise.race([
      runOperation(app(), {
        name: 'get_metrics',
        input: {},
        caller: { kind: 'network', name: 'readiness' },
      }).then(
        ({ ok }) => ok,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), patienceMs).unref()),
    ]);
    return isReady ? context.json({ status: 'ready' }) : context.json({ status: 'not ready' }, 503);
  });
}

/** What Prometheus reads; behind the token of the hub. */
export async function metricsText(app: App): Promise<Response> {
  const caller = { kind: 'network', name: 'metrics' } as const;
  const outcome = await runOperation(app, { name: 'get_metrics', input: { process: true }, caller });
  if (!outcome.ok) return new Response(`${outcome.error.message}\n`, { status: 503 });
  const type = 'text/plain; version=0.0.4; charset=utf-8';
  return new Response(outputText(outcome.operation, outcome.output), { headers: { 'content-type': type } });
}
