import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import type { Model, Models } from '../base/model/index.ts';
import { once } from '../base/once.ts';
import type { Telemetry } from '../base/telemetry/index.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import type { Config } from '../config.ts';
import type { Ledger, Payer } from '../stores/ledger/index.ts';
import type { Roles } from '../stores/roles/index.ts';
import { version } from '../version.ts';

export interface ModelAccessors {
  /** What calls to models cost, and the budgets of this person, over all repositories. */
  ledger(): Promise<Ledger>;
  /** Which models this person has, by role. Opening one here costs nobody anything that is counted: see `openModel`. */
  models(): Promise<Models>;
  /** A model that `payer` pays for: by role, `fast`, `strong`, `provider/model` or `script:FILE`. */
  openModel(wanted: string, payer: Payer): Promise<Model>;
  /** The same where the person's own settings name a model for the role; undefined otherwise. */
  configuredModel(role: string, payer: Payer): (() => Promise<Model>) | undefined;
  telemetry(): Promise<Telemetry>;
  /** The roles of the team, as their files say they are. */
  roles(): Promise<Roles>;
}

export const credentialsPath = (user: UserDirectories): string => join(user.config, 'credentials');

export function modelAccessors(context: {
  config: Config;
  user: UserDirectories;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  ledgerLibrary: () => Promise<Library>;
  /** The working tree, whose files may narrow a role. */
  root: string;
  trusted: () => ReadonlyMap<string, string>;
  onClose(work: () => void | Promise<void>): void;
}): ModelAccessors {
  const { config, user, env, clock } = context;
  const ledger = once(async () => {
    const { openLedger } = await import('../stores/ledger/index.ts');
    return openLedger({ library: await context.ledgerLibrary(), clock });
  });
  const roles = once(async () => {
    const { openRoles } = await import('../stores/roles/index.ts');
    return openRoles({
      personDirectory: join(user.config, 'roles'),
      root: context.root,
      trusted: context.trusted,
    });
  });
  const telemetry = once(async () => {
    const { createTelemetry } = await import('../base/telemetry/index.ts');
    const opened = createTelemetry({ settings: config.telemetry, version, clock, warn: context.log.warn });
    context.onClose(() => opened.close());
    return opened;
  });
  const models = once(async () => {
    const { createModels } = await import('../base/model/index.ts');
    return createModels({
      settings: config.models,
      credentialsPath: credentialsPath(user),
      environment: env,
      clock,
      roles: roleTable(await roles()),
    });
  });
  const openModel = async (wanted: string, payer: Payer): Promise<Model> => {
    const [{ metered }, { traced }] = await Promise.all([
      import('../stores/ledger/index.ts'),
      import('../base/model/index.ts'),
    ]);
    const [count, trace] = [metered(await ledger(), payer), traced(await telemetry(), payer.agent)];
    return (await models()).open(wanted, (attempt) => count(trace(attempt)));
  };
  return {
    ledger,
    models,
    roles,
    telemetry,
    openModel,
    configuredModel: (role, payer) => {
      const { fast, strong, roles: own } = config.models;
      const isConfigured = [fast, strong, own[role]].some(Boolean);
      return isConfigured ? () => openModel(role, { ...payer, agent: role }) : undefined;
    },
  };
}

/** What each role needs, and the model that it has where the settings name none. */
const roleTable = (roles: Roles) => {
  const of = (needs: 'fast' | 'strong') =>
    Object.fromEntries(
      roles
        .list()
        .filter(({ model }) => model === needs)
        .map(({ name, usual_model }) => [name, usual_model]),
    );
  return { fast: of('fast'), strong: of('strong') };
};
