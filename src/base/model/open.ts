import { type Clock, systemClock } from '../clock.ts';
import { SylkError } from '../errors.ts';
import type { Model } from './model.ts';
import type { Price } from './price.ts';
import { openScript } from './script.ts';

export interface OpenModelOptions {
  /** Keys by provider, from the person's credential file; the environment goes before it. */
  credentials?: Record<string, string> | undefined;
  environment?: NodeJS.ProcessEnv | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  clock?: Clock | undefined;
  /** The person's own prices by `provider/model`; they go before the table. */
  prices?: Record<string, Price> | undefined;
}

/** A model by `provider/model` or `script:FILE`. Throws where the name or the key is missing, and says what to type. */
export function openModel(id: string, options: OpenModelOptions = {}): Model {
  const clock = options.clock ?? systemClock;
  const script = /^script:(.+)$/.exec(id)?.[1];
  if (script) return openScript(script, clock.now);
  throw new SylkError('NOT_FOUND', `There is no model ${JSON.stringify(id)}.`, {
    hint: 'Name it as provider/model or script:FILE.',
  });
}
