import { z } from 'zod';
import { credentialsPath } from '../app/models.ts';
import { reportOf, SylkError } from '../base/errors.ts';
import type { Models } from '../base/model/index.ts';
import { budgetScopes, type CostLine, dayOf } from '../stores/ledger/index.ts';
import { operation } from './operation.ts';

const providerSchema = z.object({
  provider: z.string(),
  name: z.string(),
  url: z.string(),
  key: z.string().describe('name of the variable that holds the key; empty where none was found'),
  key_from: z.enum(['environment', 'file', 'none']),
  key_names: z.array(z.string()),
});
const roleSchema = z.object({
  role: z.string(),
  model: z.string().describe('empty where there is none'),
  chosen_by: z.string(),
  window: z.number().optional().describe('tokens'),
  price: z.string().optional().describe('US dollars for a million tokens, and the id it was found under'),
  problem: z.string().optional(),
});

function roleLine(models: Models, role: string): z.input<typeof roleSchema> {
  const chosen = models.choose(role);
  if (!chosen) return { role, model: '', chosen_by: '' };
  try {
    const { window, price } = models.open(chosen.id);
    const rates = price && `in ${price.input}, cached ${price.cachedInput}, out ${price.output}`;
    return {
      role,
      model: chosen.id,
      chosen_by: chosen.by,
      window,
      price: price && `${rates} (${price.matchedId}, ${price.source})`,
    };
  } catch (error) {
    return { role, model: chosen.id, chosen_by: chosen.by, problem: reportOf(error).message };
  }
}

const listModels = operation({
  name: 'list_models',
  summary:
    'Which model providers have a key here (its name, never the key), and which model each role gets, with its window and price. Asks no provider.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    providers: z.array(providerSchema),
    roles: z.array(roleSchema),
    credentials_file: z.string(),
    next_step: z.string().optional(),
  }),
  examples: [{}],
  render: ({ providers, roles, credentials_file, next_step }) =>
    [
      'Providers',
      ...providers.map(
        ({ provider, url, key, key_from, key_names }) =>
          `  ${provider.padEnd(12)} ${key ? `${key} (${key_from})` : `no key (${key_names.join(' or ')})`}  ${url}`,
      ),
      `Keys are read from the environment, then from ${credentials_file}`,
      'Roles',
      ...roles.map(({ role, model, chosen_by, window, price, problem }) =>
        model
          ? `  ${role.padEnd(12)} ${model}  by ${chosen_by}${window ? `, ${window} tokens` : ''}; ${problem ?? price ?? 'price unknown: tokens are counted'}`
          : `  ${role.padEnd(12)} none`,
      ),
      next_step ?? '',
    ]
      .filter(Boolean)
      .join('\n'),
  run: async (_input, { app }) => {
    const models = await app.models();
    const providers = models.providers();
    const roles = models.roles.map((role) => roleLine(models, role));
    return {
      providers: providers.map(({ provider, name, url, keys, key }) => ({
        provider,
        name,
        url,
        key: key?.variable ?? '',
        key_from: key?.from ?? ('none' as const),
        key_names: keys,
      })),
      roles,
      credentials_file: credentialsPath(app.user),
      next_step: roles.some(({ model }) => model)
        ? undefined
        : 'No model is configured. In your shell: export ANTHROPIC_API_KEY=YOUR_KEY   (or OPENAI_API_KEY, GEMINI_API_KEY)',
    };
  },
});

const costSchema = z.object({
  name: z.string(),
  calls: z.number(),
  input_tokens: z.number(),
  cached_tokens: z.number().describe('part of input_tokens'),
  output_tokens: z.number(),
  usd: z.number(),
  unpriced: z.number().describe('calls whose price is unknown; what they cost is not in usd'),
  unmeasured: z.number().describe('calls whose tokens are an estimate'),
  open: z.number().describe('calls that were never settled'),
  open_usd: z.number().describe('what is set aside for them; it counts as spent'),
}) satisfies z.ZodType<CostLine>;

const money = (usd: number): string => `$${usd.toFixed(usd !== 0 && usd < 0.01 ? 4 : 2)}`;

const costLine = (line: CostLine): string =>
  [
    `${line.name || '(none)'}  ${money(line.usd)}  ${line.calls} ${line.calls === 1 ? 'call' : 'calls'}`,
    `${line.input_tokens} tokens in (${line.cached_tokens} cached), ${line.output_tokens} out`,
    line.unpriced > 0 ? `${line.unpriced} without a known price` : '',
    line.unmeasured > 0 ? `${line.unmeasured} estimated` : '',
    line.open > 0 ? `${money(line.open_usd)} set aside for ${line.open} not settled` : '',
  ]
    .filter(Boolean)
    .join(', ');

const millisecondsOfDay = 86_400_000;

const getCost = operation({
  name: 'get_cost',
  summary: 'What calls to models cost, by day, session, run, agent or model.',
  effect: 'read',
  input: z.object({
    by: z.enum(budgetScopes).default('day'),
    days: z.coerce.number().int().min(1).max(3650).default(30).describe('of these last days'),
  }),
  output: z.object({ by: z.string(), since: z.string(), lines: z.array(costSchema), total_usd: z.number() }),
  examples: [{}, { by: 'model' }],
  command: { positionals: ['by'] },
  render: ({ by, since, lines, total_usd }) =>
    lines.length === 0
      ? `No calls to models since ${since}.`
      : [...lines.map(costLine), `Total since ${since}, by ${by}: ${money(total_usd)}`].join('\n'),
  run: async ({ by, days }, { app }) => {
    const since = dayOf(app.clock.now() - (days - 1) * millisecondsOfDay);
    const lines = await (await app.ledger()).costs({ by, since });
    return { by, since, lines, total_usd: lines.reduce((sum, { usd }) => sum + usd, 0) };
  },
});

const budgetSchema = z.object({
  scope: z.enum(budgetScopes),
  name: z.string().describe('empty: each of them'),
  usd: z.number().optional(),
  tokens: z.number().optional(),
  used_usd: z.number().optional(),
});
const budgetLine = ({ scope, name, usd, tokens, used_usd }: z.output<typeof budgetSchema>): string =>
  [
    `${scope}${name ? ` ${name}` : ''}:`,
    [usd === undefined ? '' : money(usd), tokens === undefined ? '' : `${tokens} tokens`]
      .filter(Boolean)
      .join(', '),
    used_usd === undefined ? '' : `(${money(used_usd)} used)`,
  ]
    .filter(Boolean)
    .join(' ');
const budgetsOutput = z.object({ budgets: z.array(budgetSchema) });
const showBudgets = ({ budgets }: z.output<typeof budgetsOutput>): string =>
  budgets.map(budgetLine).join('\n') || 'No budgets. Set one: sylk budget set day 10';

const listBudgets = operation({
  name: 'list_budgets',
  summary: 'The limits that calls to models may not pass, and what is used of them.',
  effect: 'read',
  input: z.object({}),
  output: budgetsOutput,
  examples: [{}],
  render: showBudgets,
  run: async (_input, { app }) => ({ budgets: await (await app.ledger()).budgets() }),
});

const setBudget = operation({
  name: 'set_budget',
  summary:
    'Sets what models may cost: each day, session or run, or each day for an agent or a model. Without a limit it is removed.',
  effect: 'setup',
  input: z.object({
    scope: z.enum(budgetScopes),
    usd: z.coerce.number().min(0).max(1_000_000).optional().describe('US dollars'),
    name: z.string().max(200).default('').describe('only for this session, run, agent or model'),
    tokens: z.coerce.number().int().min(0).optional(),
  }),
  output: budgetsOutput,
  idempotent: true,
  examples: [{ scope: 'day', usd: 10 }, { scope: 'day' }],
  command: { positionals: ['scope', 'usd', 'name'] },
  render: showBudgets,
  run: async ({ scope, usd, name, tokens }, { app }) => {
    if (scope === 'day' && name)
      throw new SylkError('VALIDATION_ERROR', 'A budget of a day has no name.', {
        hint: 'sylk budget set day 10',
      });
    const ledger = await app.ledger();
    await ledger.setBudget({ scope, name, usd, tokens });
    return { budgets: await ledger.budgets() };
  },
});

export const operations = [listModels, getCost, listBudgets, setBudget];
