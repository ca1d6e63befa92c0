import { type Clock, systemClock } from '../clock.ts';
import { closest } from '../closest.ts';
import { SylkError } from '../errors.ts';
import { once } from '../once.ts';
import type { Model } from './model.ts';
import type { Price } from './price.ts';
import { lookUpModel } from './price-table.ts';
import providers from './providers.json' with { type: 'json' };
import { type RetryPolicy, retrying, usualRetries } from './retry.ts';
import { openScript } from './script.ts';
import { type Timeouts, usualTimeouts } from './watch.ts';

export interface OpenModelOptions {
  /** Keys by the names of their variables, from the person's credential file; the environment goes before it. */
  credentials?: Record<string, string> | undefined;
  environment?: NodeJS.ProcessEnv | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  clock?: Clock | undefined;
  /** The person's own prices by `provider/model`; they go before the table. */
  prices?: Record<string, Price> | undefined;
  /** Addresses of OpenAI-compatible servers by name, and of the known providers where another one stands in. */
  endpoints?: Record<string, string> | undefined;
  limits?: Record<string, { window?: number | undefined; maxOutput?: number | undefined }> | undefined;
  timeouts?: Timeouts | undefined;
  retries?: RetryPolicy | undefined;
  /** Around each attempt, retries included: for whoever counts what it costs. */
  aroundAttempt?: ((attempt: Model) => Model) | undefined;
}

export interface ProviderFacts {
  provider: string;
  name: string;
  url: string;
  /** Variables that can hold the key. */
  keys: string[];
  needsKey: boolean;
  maxOutput: number;
  /** Models that stand for the two roles where nothing else is said. */
  usual: Record<'fast' | 'strong', string> | undefined;
}

const unknownWindow = 128_000;
const unknownMaxOutput = 8_192;

/** The providers that are built in, and those that the person named by an address. */
export function knownProviders(endpoints: Record<string, string> = {}): ProviderFacts[] {
  const known = Object.entries(providers).map(
    ([provider, { name, keys, url, max_output, fast, strong }]) => ({
      provider,
      name,
      url: endpoints[provider] ?? url,
      keys,
      needsKey: true,
      maxOutput: max_output,
      usual: { fast, strong },
    }),
  );
  const own = Object.entries(endpoints).flatMap(([provider, url]) =>
    Object.hasOwn(providers, provider)
      ? []
      : [
          {
            provider,
            name: provider,
            url,
            keys: [`${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`],
            needsKey: false,
            maxOutput: unknownMaxOutput,
            usual: undefined,
          },
        ],
  );
  return [...known, ...own];
}

/** The variable that holds a key, and where it stands. */
export function findKey(
  { keys }: Pick<ProviderFacts, 'keys'>,
  { environment = {}, credentials = {} }: Pick<OpenModelOptions, 'environment' | 'credentials'>,
): { variable: string; from: 'environment' | 'file'; key: string } | undefined {
  for (const variable of keys) {
    const own = environment[variable];
    if (own) return { variable, from: 'environment', key: own };
  }
  for (const variable of keys) {
    const stored = credentials[variable];
    if (stored) return { variable, from: 'file', key: stored };
  }
  return undefined;
}

/** A model by `provider/model` or `script:FILE`. Throws where the name or the key is missing, and says what to type. */
export function openModel(id: string, options: OpenModelOptions = {}): Model {
  const clock = options.clock ?? systemClock;
  const around = options.aroundAttempt ?? ((attempt) => attempt);
  const script = /^script:(.+)$/.exec(id)?.[1];
  if (script) return around(openScript(script, clock.now));
  const { facts, model } = resolve(id, options.endpoints);
  const found = findKey(facts, options);
  if (!found && facts.needsKey) throw missingKey(facts);
  const table = once(() => lookUpModel(facts.provider, model, clock.now()));
  const limits = options.limits?.[id];
  const window = limits?.window ?? table().window ?? unknownWindow;
  const maxOutput = limits?.maxOutput ?? Math.min(facts.maxOutput, Math.floor(window / 4));
  const context = {
    settings: {
      provider: facts.provider,
      model,
      url: facts.url,
      key: found?.key,
      fetch: options.fetch ?? globalThis.fetch,
    },
    maxOutput,
    window,
    timeouts: options.timeouts ?? usualTimeouts,
    now: clock.now,
  };
  const asking: Model = {
    id,
    window,
    maxOutput,
    price: options.prices?.[id] ?? table().price,
    stream: async (request) => (await import('./attempt.ts')).attempt(context, request),
  };
  return retrying(around(asking), clock.now, options.retries ?? usualRetries);
}

function resolve(id: string, endpoints: Record<string, string> | undefined) {
  const all = knownProviders(endpoints);
  const [, provider = '', model = ''] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
  const facts = all.find((known) => known.provider === provider);
  if (facts) return { facts, model };
  const near = closest(
    provider,
    all.map((known) => known.provider),
  );
  throw new SylkError('NOT_FOUND', `There is no model provider for ${JSON.stringify(id)}.`, {
    hint: near
      ? `Did you mean ${near}/${model}?`
      : 'Name a model as provider/model, such as anthropic/claude-sonnet-4-5; `sylk models` lists the providers.',
  });
}

const missingKey = ({ name, keys, provider }: ProviderFacts) =>
  new SylkError('UNAVAILABLE', `There is no key for ${name}.`, {
    hint: `Before you start Sylk: export ${keys[0]}=YOUR_KEY   (or at any time add the line ${keys[0]}=YOUR_KEY to your credentials file; \`sylk models\` says where it is)`,
    data: { provider },
  });
