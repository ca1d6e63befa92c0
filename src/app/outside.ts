import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { LoadedConfig } from '../base/config/index.ts';
import type { Embedder } from '../base/embedding/index.ts';
import type { EventLog } from '../base/events.ts';
import type { Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import { approvalPolicy, type Config } from '../config.ts';
import { type Approvals, openApprovals, type TrustedContent } from '../stores/approvals/index.ts';
import { openReferences, type References } from '../stores/references/index.ts';
import type { Skills } from '../stores/skills/index.ts';

interface Questions {
  approvals: Approvals;
  /** What a request belongs to: the path of the repository, which clones of a team do not share. */
  repository: string;
}

/** Text that comes from outside of this repository, and what a person decided about it. */
export interface OutsideAccessors {
  /** What a person was asked and answered, and which repositories are trusted. */
  approvals(): Promise<Approvals>;
  /** What agents of runs ask, and what was answered always: in a team everybody who may answer sees it. */
  questions(): Promise<Questions>;
  /** SKILL.md documents of every source, as one namespace. */
  skills(): Promise<Skills>;
  /** Topics gathered from git, the web and this machine, shared by all repositories of a person. */
  references(): Promise<References>;
}

export function outsideAccessors({
  repository,
  user,
  env,
  clock,
  log,
  config,
  index,
  library,
  userLibrary,
  model,
  longLived,
  onClose,
  ...context
}: {
  repository: Repository;
  user: UserDirectories;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Log;
  config: Config;
  loaded: LoadedConfig;
  trusted: () => TrustedContent;
  index: () => Sqlite;
  library: () => Promise<Library>;
  userLibrary: () => Promise<Library>;
  /** Loaded by a process that stays, never by a single command. */
  model: () => Promise<Embedder>;
  events: EventLog;
  longLived: boolean;
  isClosed: () => boolean;
  onClose(work: () => void | Promise<void>): void;
}): OutsideAccessors & { embedReferences(): Promise<void> } {
  const openIn = (opened: Library) =>
    openApprovals({
      library: opened,
      clock,
      policy: approvalPolicy(config, context.loaded, user),
      expireHours: config.approvals.expire_hours,
      told: ({ id, kind, status }) => context.events.publish('approval', { id, kind, status }),
    });
  const approvals = once(async () => openIn(await userLibrary()));
  const questions = once(async () =>
    config.team.database === ''
      ? { approvals: await approvals(), repository: repository.mainRoot }
      : { approvals: openIn(await library()), repository: 'team' },
  );
  /** Decisions that come in by way of skills are the person's at this machine; operations let nobody else in. */
  const decision = () => ({ path: repository.mainRoot, by: env.USER ?? 'person' });
  const skills = once(async () => {
    const { openSkills } = await import('../stores/skills/index.ts');
    const { createTextVectors } = await import('../base/search/index.ts');
    const { createStaticEmbedder } = await import('../base/embedding/index.ts');
    return openSkills({
      projectRoot: repository.root,
      sharedDirectory: repository.sharedDirectory,
      user,
      env,
      clock,
      log,
      repositoryTrust: {
        trusted: context.trusted,
        find: async (item) => (await approvals()).trustedItem({ path: repository.mainRoot, item }),
        trust: async (items) => (await approvals()).trustContent({ ...decision(), items }),
        forget: async (items) => (await approvals()).untrustContent({ ...decision(), items }),
      },
      userLibrary,
      allowHosts: config.network.allow_hosts,
      capabilities: config.skills.capabilities,
      vectors: createTextVectors({
        table: 'skill_vectors',
        subject: 'Skills',
        quick: createStaticEmbedder(),
        model: await model(),
        longLived,
        index,
        log,
      }),
    });
  });
  const references = once(async () => {
    const { root, max_files, max_megabytes, max_file_kilobytes, fetch_minutes } = config.references;
    const { runtime, idle_seconds, weights, threads } = config.embedding;
    const shelf = root ? resolve(repository.mainRoot, root) : join(user.data, 'references');
    const opened = await openReferences({
      root: shelf,
      // One index for all repositories of the person.
      indexDirectory: join(user.state, 'references', hash('sha256', shelf, 'hex').slice(0, 16)),
      clock,
      log,
      outside: { allowHosts: config.network.allow_hosts },
      budget: {
        maxFiles: max_files,
        maxBytes: max_megabytes * 1_000_000,
        maxFileBytes: max_file_kilobytes * 1000,
        timeoutMs: fetch_minutes * 60_000,
      },
      embedding: {
        runtime,
        idleMilliseconds: idle_seconds * 1000,
        weights: weights || undefined,
        threads: threads > 0 ? threads : undefined,
      },
      changed: () => void embedReferences(),
      longLived: longLived && config.embedding.enabled,
    });
    onClose(() => opened.close());
    return opened;
  });
  /** Only a process that stays, and a person who wants search by meaning, pay for the model. */
  const embedReferences = async () => {
    if (longLived && !context.isClosed() && config.embedding.enabled)
      await (await references()).embedWaiting();
  };
  return { approvals, questions, skills, references, embedReferences };
}
