import { join } from 'node:path';
import { z } from 'zod';
import {
  type ConfigSection,
  configSection,
  type LoadedConfig,
  loadConfig,
  type SectionValue,
  userKey,
} from './base/config/index.ts';
import { stateOf } from './base/content-item.ts';
import type { Repository } from './base/git/index.ts';
import { modelsSection } from './base/model/config/index.ts';
import { once } from './base/once.ts';
import { telemetrySection } from './base/telemetry/config/index.ts';
import type { UserDirectories } from './base/user-directory.ts';
import { agentsSection } from './engines/agents/config/index.ts';
import { embeddingSection } from './engines/recall/config/index.ts';
import { approvalsSection, type TrustedContent } from './stores/approvals/index.ts';
import { chronicleSection } from './stores/chronicle/config/index.ts';
import { codeSection } from './stores/code/config/index.ts';
import { historySection } from './stores/history/config/index.ts';
import { referencesSection } from './stores/references/index.ts';
import { sessionsSection } from './stores/sessions/config/index.ts';
import { skillsSection } from './stores/skills/section/index.ts';
import { workSection } from './stores/work/config/index.ts';

const logSection = configSection('log', {
  level: userKey(
    z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    'lowest severity written to the log',
  ),
  max_bytes: userKey(
    z.number().int().min(10_000).default(5_000_000),
    'size at which the log file is rotated',
  ),
});

const networkSection = configSection('network', {
  allow_hosts: userKey(
    z.array(z.string()).default([]),
    'private hosts (host or host:port) that fetching may reach',
  ),
});

const teamSection = configSection('team', {
  database: userKey(z.string().default(''), 'address of the PostgreSQL library that a team shares'),
  calls_per_minute: userKey(
    z.number().int().positive().default(600),
    'how many calls a member may make in a minute',
  ),
  hub: userKey(
    z.string().default(''),
    'path or URL of the git repository through which the clones of a team exchange commits',
  ),
  oidc_issuer: userKey(z.string().default(''), 'address of the identity provider that people log in with'),
  oidc_client_id: userKey(z.string().default(''), 'id of this server at the identity provider'),
  oidc_client_secret: userKey(z.string().default(''), 'secret of this server at the identity provider'),
  rate_limits: userKey(
    z.record(z.string(), z.number().int().positive()).default({}),
    'how many commands that call a provider may start in a minute, by provider, over all workers',
  ),
  repository: userKey(
    z.string().default(''),
    'name of this repository in a team that has several: each then has a schema of its own',
  ),
  token: userKey(z.string().default(''), 'token of the server, where the hub is one over HTTP'),
});

/** Every section of the product. Each store or engine declares its own; this is the only list of all of them. */
export const sections = {
  log: logSection,
  network: networkSection,
  team: teamSection,
  approvals: approvalsSection,
  sessions: sessionsSection,
  chronicle: chronicleSection,
  history: historySection,
  code: codeSection,
  skills: skillsSection,
  references: referencesSection,
  work: workSection,
  embedding: embeddingSection,
  agents: agentsSection,
  models: modelsSection,
  telemetry: telemetrySection,
} satisfies Record<string, ConfigSection>;

export type Config = { [Name in keyof typeof sections]: SectionValue<(typeof sections)[Name]['keys']> };

export interface ConfigRequest {
  repository: Repository;
  user: UserDirectories;
  /** What a person trusted of this repository; read only if its files contain something that acts. */
  trusted: () => TrustedContent;
  env: NodeJS.ProcessEnv;
  flags: string[];
}

export function readConfig({ repository, user, trusted, env, flags }: ConfigRequest): {
  config: Config;
  loaded: LoadedConfig;
} {
  const content = once(trusted);
  const loaded = loadConfig({
    sections: Object.values(sections),
    userFile: join(user.config, 'config.yaml'),
    projectFile: join(repository.sharedDirectory, 'config.yaml'),
    // History behaves the same without a section.
    projectExtra: { path: join(repository.mainRoot, '.kiste.yaml'), section: historySection.name },
    trustOf: (item) => stateOf(content(), item),
    env,
    flags,
  });
  const config = loaded.sections as Config;
  withholdOwnKey(config, loaded);
  return { config, loaded };
}

/** The person's key is never sent to a URL that a repository names, trusted or not. */
function withholdOwnKey(config: Config, { origins, acting, warnings }: LoadedConfig): void {
  const fromRepository = (key: string) => {
    const from = origins.find((origin) => origin.key === key)?.from;
    return acting.some((setting) => setting.from === from);
  };
  if (config.embedding.endpoint_key === '' || fromRepository('embedding.endpoint_key')) return;
  if (!fromRepository('embedding.endpoint_url')) return;
  config.embedding.endpoint_key = '';
  warnings.push(
    'Your embedding.endpoint_key is not sent to the endpoint set by this repository. Set embedding.endpoint_url in your own config file.',
  );
}

/** The settings, or the defaults when a file is invalid. */
export function readConfigOrDefaults(request: ConfigRequest): ReturnType<typeof readConfig> {
  try {
    return readConfig(request);
  } catch {
    const loaded = loadConfig({
      sections: Object.values(sections),
      trustOf: () => 'new',
      env: {},
      flags: [],
    });
    return { config: loaded.sections as Config, loaded };
  }
}

/**
 * Rules that answer for a person count only in the person's own config file: any program can set a flag or a
 * variable.
 */
export function approvalPolicy(
  { approvals: { rules, restrict } }: Config,
  loaded: LoadedConfig,
  user: UserDirectories,
) {
  return { rules: isFromOwnFile('approvals.rules', loaded, user) ? rules : [], restrict };
}

/** Rules and hooks for agents, and whatever gives them more than they have by default, by the same reason. */
export const agentSettings = ({ agents }: Config, loaded: LoadedConfig, user: UserDirectories) => ({
  rules: isFromOwnFile('agents.rules', loaded, user) ? agents.rules : [],
  hooks: isFromOwnFile('agents.hooks', loaded, user) ? agents.hooks : {},
  external: isFromOwnFile('agents.external', loaded, user) ? agents.external : {},
  hosts: isFromOwnFile('agents.hosts', loaded, user) ? agents.hosts : [],
  notify: isFromOwnFile('agents.notify', loaded, user) ? agents.notify : '',
  unconfined: agents.unconfined && isFromOwnFile('agents.unconfined', loaded, user),
});

function isFromOwnFile(wanted: string, { origins }: LoadedConfig, user: UserDirectories): boolean {
  const ownFile = `${join(user.config, 'config.yaml')}:`;
  return origins.some(({ key, from }) => key === wanted && from.startsWith(ownFile));
}
