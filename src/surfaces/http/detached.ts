import type { App } from '../../app.ts';
import { type Outcome, type RunRequest, runOperation } from '../../operations/run.ts';

/**
 * Starts a call that goes on when the client is gone (RFC 7240, `Prefer: respond-async`). What ends before its first event is
 * answered like any other call; `list_calls` and `cancel_call` reach the rest.
 */
export function runDetached(
  app: App,
  { signal: _, ...request }: RunRequest,
): Promise<Outcome | { call: string }> {
  return new Promise((resolve) => {
    let call = '';
    void runOperation(app, {
      ...request,
      onStart: (id) => {
        call = id;
      },
      onEvent: () => resolve({ call }),
    }).then(resolve);
  });
}
