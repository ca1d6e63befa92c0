import type { Clock } from '../clock.ts';
import { SylkError } from '../errors.ts';
import { once } from '../once.ts';
import type { ModelSettings } from './config/index.ts';
import { readCredentials } from './credentials.ts';
import type { Model } from './model.ts';
import { findKey, knownProviders, type OpenModelOptions, openModel } from './open.ts';
import type { Price } from './price.ts';

type Strength = 'fast' | 'strong';

/** The roles by what they need, each with the model that it has where nothing else is said; empty for none. */
export type RoleTable = Record<Strength, Record<string, string>>;

export interface ModelsContext {
  settings: ModelSettings;
  credentialsPath: string;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  roles: RoleTable;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface ChosenModel {
  id: string;
  /** The setting or the default that chose it. */
  by: string;
}

export type Models = ReturnType<typeof createModels>;

/** The models that this person has, by role or by name. */
export function createModels(context: ModelsContext) {
  const { settings, environment, roles } = context;
  const credentials = once(() => readCredentials(context.credentialsPath));
  const providers = knownProviders(settings.endpoints);
  const keyOf = (facts: { keys: string[] }) => findKey(facts, { environment, credentials: credentials() });
  const hasKey = (id: string): boolean => {
    const facts = providers.find(({ provider }) => id.startsWith(`${provider}/`));
    return facts !== undefined && (!facts.needsKey || keyOf(facts) !== undefined);
  };

  /** A role that nobody knows gets the fast one. */
  const strengthOf = (role: string): Strength =>
    role === 'strong' || Object.hasOwn(roles.strong, role) ? 'strong' : 'fast';

  const configured = (role: string): ChosenModel | undefined => {
    const own = settings.roles[role];
    if (own && own !== 'fast' && own !== 'strong') return { id: own, by: `models.roles.${role}` };
    const needs = own === 'fast' || own === 'strong' ? own : strengthOf(role);
    for (const name of [needs, 'strong', 'fast'] as const)
      if (settings[name]) return { id: settings[name], by: `models.${name}` };
    return undefined;
  };

  /** What the person set, else the role's usual model, else that of a provider whose key is there. */
  const choose = (role: string): ChosenModel | undefined => {
    const set = configured(role);
    if (set) return set;
    const needs = strengthOf(role);
    const usual = roles[needs][role];
    if (usual && hasKey(usual)) return { id: usual, by: 'default' };
    const facts = providers.find((each) => each.usual && keyOf(each));
    return facts?.usual && { id: `${facts.provider}/${facts.usual[needs]}`, by: `key of ${facts.name}` };
  };

  const options = (aroundAttempt: OpenModelOptions['aroundAttempt']): OpenModelOptions => ({
    credentials: credentials(),
    environment,
    fetch: context.fetch,
    clock: context.clock,
    prices: Object.fromEntries(Object.entries(settings.prices).map(ownPrice)),
    endpoints: settings.endpoints,
    limits: Object.fromEntries(
      Object.entries(settings.limits).map(([id, { window, max_output }]) => [
        id,
        { window, maxOutput: max_output },
      ]),
    ),
    aroundAttempt,
  });

  return {
    choose,
    roles: ['fast', 'strong', ...Object.keys(roles.fast), ...Object.keys(roles.strong)],
    providers: () =>
      providers.map((facts) => {
        const found = keyOf(facts);
        return { ...facts, key: found && { variable: found.variable, from: found.from } };
      }),
    /** `wanted` is a role, `fast`, `strong`, `provider/model` or `script:FILE`. */
    open(wanted: string, aroundAttempt?: OpenModelOptions['aroundAttempt']): Model {
      const id = /[/:]/.test(wanted) ? wanted : choose(wanted)?.id;
      if (!id) throw noModel(context.credentialsPath);
      return openModel(id, options(aroundAttempt));
    },
  };
}

function ownPrice([id, price]: [string, ModelSettings['prices'][string]]): [string, Price] {
  const { input, output, cached_input = input, cache_write = input } = price;
  const source = 'models.prices';
  return [id, { matchedId: id, source, input, output, cachedInput: cached_input, cacheWrite: cache_write }];
}

const noModel = (credentialsPath: string) =>
  new SylkError('UNAVAILABLE', 'No model is configured, and there is no key for one.', {
    hint: `Before you start Sylk: export ANTHROPIC_API_KEY=YOUR_KEY   (or OPENAI_API_KEY, GEMINI_API_KEY). Or at any time: add the line ANTHROPIC_API_KEY=YOUR_KEY to ${credentialsPath}. \`sylk models\` shows what is found.`,
  });
