import { createRequire } from 'node:module';
import type { MatchLogic, ModelInfo, ModelPrice } from '@pydantic/genai-prices';
import type { Price, Rates } from './price.ts';

export interface TableEntry {
  price: Price | undefined;
  window: number | undefined;
  /** The nearest id, where the table has none that is surely the same model. */
  nearest: string | undefined;
}

/** Loaded at once, because a model is opened at once; no command without a model does. */
const loadTable = () =>
  createRequire(import.meta.url)('@pydantic/genai-prices') as typeof import('@pydantic/genai-prices');

/** The table also matches by the beginning of a name; only a date or `latest` may follow, or it is another model. */
const sameModel = /^(?:[-@]?(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|latest|preview(?:-\d{2}-\d{2,4})?))?$/;

function isSame(id: string, match: MatchLogic): boolean {
  if ('or' in match) return match.or.some((part) => isSame(id, part));
  if ('and' in match) return match.and.every((part) => isSame(id, part));
  if ('equals' in match) return id === match.equals;
  if ('regex' in match) return new RegExp(match.regex).test(id);
  return 'starts_with' in match && id.startsWith(match.starts_with)
    ? sameModel.test(id.slice(match.starts_with.length))
    : false;
}

type TablePrice = ModelPrice[string];

function rateAt(price: TablePrice, input: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  return price.tiers.findLast(({ start }) => input > start)?.price ?? price.base;
}

function ratesAt(prices: ModelPrice, input: number): Rates | undefined {
  const rate = (key: string) => rateAt(prices[key], input);
  const fresh = rate('input_mtok');
  const output = rate('output_mtok');
  if (fresh === undefined || output === undefined) return undefined;
  return {
    input: fresh,
    cachedInput: rate('cache_read_mtok') ?? fresh,
    cacheWrite: rate('cache_write_mtok') ?? fresh,
    output,
  };
}

const tierStarts = (prices: ModelPrice): number[] =>
  Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  );

function priceOf(provider: string, info: ModelInfo, prices: ModelPrice): Price | undefined {
  const rates = ratesAt(prices, 0);
  if (!rates) return undefined;
  const starts = [...new Set(tierStarts(prices))].sort((a, b) => a - b);
  const tiers = starts.flatMap((above) => {
    const tier = ratesAt(prices, above + 1);
    return tier ? [{ above, ...tier }] : [];
  });
  return { matchedId: `${provider}/${info.id}`, source: 'genai-prices', ...rates, tiers };
}

/** What the table says of a model at a time: some prices change on a day. */
export function lookUpModel(provider: string, model: string, now: number): TableEntry {
  const { calcPrice } = loadTable();
  const match = calcPrice({ input_tokens: 1 }, model, { providerId: provider, timestamp: new Date(now) });
  if (!match) return { price: undefined, window: undefined, nearest: undefined };
  const { model: info, model_price: prices } = match;
  const isExact = info.id === model || isSame(model, info.match);
  return {
    price: isExact ? priceOf(provider, info, prices) : undefined,
    window: info.context_window,
    nearest: isExact ? undefined : `${provider}/${info.id}`,
  };
}
