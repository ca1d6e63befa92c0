import { join, resolve } from 'node:path';
import { type AgentAccessors, agentAccessors } from './app/agents.ts';
import { startBackground } from './app/background.ts';
import { type DatabaseAccessors, databaseAccessors, userLibraryPath } from './app/databases.ts';
import { type KnowledgeAccessors, knowledgeAccessors } from './app/knowledge.ts';
import { type LoginAccessors, loginAccessors } from './app/login.ts';
import { type MemoryAccessors, memoryAccessors } from './app/memory.ts';
import { type ModelAccessors, modelAccessors } from './app/models.ts';
import { type OutsideAccessors, outsideAccessors } from './app/outside.ts';
import { type PeopleAccessors, peopleAccessors } from './app/people.ts';
import { type ProjectAccessors, projectAccessors } from './app/project.ts';
import { type RunAccessors, runAccessors } from './app/runs.ts';
import { openNotingSkippedFiles } from './app/skipped-files.ts';
import { unopenedLibrary, unopenedState } from './app/state-notices.ts';
import { type WorkAccessors, workAccessors } from './app/work.ts';
import { type Clock, systemClock } from './base/clock.ts';
import type { LoadedConfig } from './base/config/index.ts';
import { reportOf } from './base/errors.ts';
import { createEventLog, type EventLog } from './base/events.ts';
import { state } from './base/files/index.ts';
import { createGit, findRepository, type Git, type Repository } from './base/git/index.ts';
import { createLog, type Log } from './base/log.ts';
import { once } from './base/once.ts';
import { type UserDirectories, userDirectories } from './base/user-directory.ts';
import { type Config, type ConfigRequest, readConfig, readConfigOrDefaults } from './config.ts';
import type { Answers } from './engines/answers/index.ts';
import type { Clients } from './engines/clients/index.ts';
import type { Indexing } from './engines/indexing/index.ts';
import type { NeighbourhoodEngine } from './engines/neighbourhood/index.ts';
import type { OpenedRecall } from './engines/recall/index.ts';
import { type TrustedContent, trustedContent } from './stores/approvals/index.ts';
import type { CodeStore } from './stores/code/index.ts';
import type { History } from './stores/history/index.ts';
import { version } from './version.ts';

/**
 * Opens what is asked for, once, and introduces stores and engines to each other. Everything is lazy: a command
 * pays only for what it uses.
 */
export interface App
  extends AgentAccessors,
    DatabaseAccessors,
    WorkAccessors,
    KnowledgeAccessors,
    LoginAccessors,
    MemoryAccessors,
    ModelAccessors,
    OutsideAccessors,
    PeopleAccessors,
    ProjectAccessors,
    RunAccessors {
  readonly repository: Repository;
  readonly git: Git;
  readonly user: UserDirectories;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  readonly loadedConfig: LoadedConfig;
  /** What the files say now; throws where one of them is wrong. */
  rereadConfig(): LoadedConfig;
  /** Digests of what a person trusted of this repository, by item. */
  trustedContent(): TrustedContent;
  /** Things that happened and that a person should read once, such as a database that was set aside. */
  readonly notices: string[];
  /** Notices that make the command fail, although its own work was done: a damaged database was replaced. */
  readonly failures: string[];
  /** What happens while a server runs: progress, changes, approvals. */
  readonly events: EventLog;
  /** Coding clients of this machine and what they know of Sylk. */
  clients(): Promise<Clients>;
  /** What happened to the files of this repository, and why. */
  history(): Promise<History>;
  /** Symbols of this repository's files and how they hang together. */
  code(): Promise<CodeStore>;
  /** Brings history and code up to date, now and in the background. */
  indexing(): Promise<Indexing>;
  /** One question over files, commits and everything that registers. */
  recall(): Promise<OpenedRecall>;
  /** Answers questions about this repository, with sources, trust, freshness and conflicts. */
  answers(): Promise<Answers>;
  /** What anything has to do with anything else, over all stores. */
  neighbourhood(): Promise<NeighbourhoodEngine>;
  /** Sets a damaged index aside so that the next use starts with an empty one. False where the index is sound. */
  healIndex(): Promise<boolean>;
  /** Keeps the index fresh for as long as the app is open; one process does it for all, by a lease. */
  startBackground(): Promise<void>;
  /** Runs when the app closes, last registered first. */
  onClose(work: () => void | Promise<void>): void;
  close(): Promise<void>;
}

export interface AppOptions {
  directory: string;
  /** A server stays: it loads the embedding model. A command answers without waiting for it. */
  mode?: 'command' | 'server';
  env?: NodeJS.ProcessEnv;
  clock?: Clock;
  flags?: string[];
  /** Opens with the defaults where the configuration is broken: for the doctor, who has to say so. */
  tolerant?: boolean;
  /** Where warnings are told, besides the log file. */
  tell?: (line: string) => void;
}

export function openApp(options: AppOptions): App {
  const env = options.env ?? process.env;
  const longLived = options.mode === 'server';
  const clock = options.clock ?? systemClock;
  const repository = findRepository(options.directory, env);
  const user = userDirectories(env);
  const git = createGit(repository.root, { repository });
  const request: ConfigRequest = {
    repository,
    user,
    trusted: () => trustedContent(userLibraryPath(user), repository.mainRoot),
    env,
    flags: options.flags ?? [],
  };
  const [{ config, loaded }, tellSkipped] = openNotingSkippedFiles(
    [repository.root, repository.mainRoot],
    () => (options.tolerant ? readConfigOrDefaults(request) : readConfig(request)),
  );
  const log = createLog({
    level: config.log.level,
    file: join(repository.state.directory, 'log', 'sylk.log'),
    maxBytes: config.log.max_bytes,
    clock,
    tell: options.tell,
  });
  const notices: string[] = [];
  const failures: string[] = [];
  const events = createEventLog(clock.now);
  const notice = (line: string) => {
    notices.push(line);
    log.warn(line);
  };
  const tellDamage = (line: string) => {
    notice(line);
    failures.push(line);
  };
  // The first command that meets it fails; the ones after it, which have state of their own, only warn.
  const isFirst = !state.exists(repository.state.directory);
  for (const line of unopenedState(repository)) isFirst ? tellDamage(line) : notice(line);
  for (const line of unopenedLibrary(repository)) notice(line);
  let closed = false;
  const closers: Array<() => void | Promise<void>> = [tellSkipped(notice)];
  const onClose = (work: () => void | Promise<void>) => {
    closers.push(work);
  };
  /** What every part may know. */
  const place = { repository, git, user, env, clock, log, config, loaded, events, longLived, onClose };
  const databases = databaseAccessors({ ...place, notice, tellDamage });
  const { index, library, userLibrary, prepareDirectory } = databases;
  const { trusted } = request;
  const languageModels = modelAccessors({
    ...place,
    // What workers spend together is counted in one place.
    ledgerLibrary: config.team.database === '' ? userLibrary : library,
    root: repository.root,
    trusted,
  });
  /** One model for the skills and the memory of a process that stays. */
  const model = once(async () => {
    const { createModelEmbedder } = await import('./base/embedding/index.ts');
    const opened = createModelEmbedder({ threads: 1 });
    onClose(() => opened.release());
    return opened;
  });
  const outside = outsideAccessors({
    ...place,
    trusted: request.trusted,
    index,
    library,
    userLibrary,
    model,
    isClosed: () => closed,
  });
  const { skills, references, embedReferences } = outside;
  const history = once(async () => {
    const { openHistory, settingsOf } = await import('./stores/history/index.ts');
    const { db_path } = config.history;
    const path =
      db_path === '' ? join(prepareDirectory(), 'history.db') : resolve(repository.mainRoot, db_path);
    const settings = settingsOf(config.history);
    const opened = openHistory({ path, repository, git, settings, notice, tellDamage });
    closers.push(() => opened.close());
    return opened;
  });
  const code = once(async () => {
    const { openCode } = await import('./stores/code/index.ts');
    const agentFolders = async () => {
      const { repositorySkillFolders } = await import('./stores/skills/index.ts');
      return repositorySkillFolders(repository.sharedDirectory);
    };
    const opened = openCode({ sqlite: index, git, repository, settings: config.code, agentFolders, clock });
    closers.push(() => opened.close());
    return opened;
  });
  const indexing = once(async () => {
    const { codeSource, createIndexing, historySource } = await import('./engines/indexing/index.ts');
    const engine = createIndexing({
      sqlite: index,
      sources: async () => [
        historySource(await history()),
        codeSource(await code()),
        (await recall()).indexSource,
      ],
      checkLinks: async (request) => (await code()).compile(request),
      root: repository.root,
      gitDirectory: repository.gitDirectory,
      directories: async () => (await code()).directories(),
      log,
    });
    engine.listen(({ source, changed }) => {
      events.publish('index', { source, changed: changed.length, paths: changed.slice(0, 50) });
      // A cache that was never written has nothing to drop.
      if (source === 'code' && state.exists(answersPath))
        void answers()
          .then((engine) => engine.filesChanged(changed))
          .catch((error) => log.warn(`cached answers were not dropped: ${reportOf(error).message}`));
    });
    closers.push(() => engine.stop());
    return engine;
  });
  const answersPath = join(repository.state.directory, 'cache', 'answers.db');
  const recall = once(async () => {
    const { openRecall } = await import('./engines/recall/index.ts');
    const opened = openRecall({
      repository,
      git,
      index,
      history: await history(),
      code: await code(),
      settings: config.embedding,
      allowHosts: config.network.allow_hosts,
      clock,
      longLived,
      stores: {
        library,
        chronicle,
        work: workParts.work,
        areas: workParts.areas,
        skills,
        references,
      },
    });
    closers.push(() => opened.close());
    return opened;
  });

  const memoryParts = memoryAccessors({
    ...place,
    library,
    userLibrary,
    index,
    model,
    claims: () => knowledge.claims(),
    knowledge: () => knowledge.knowledge(),
  });
  const { chronicle, memory, sessions } = memoryParts;
  const workParts = workAccessors({ ...place, config: config.work, library, index, history, recall });
  const cachedAnswers = once(async () => {
    const { openAnswers } = await import('./stores/answers/index.ts');
    const opened = openAnswers(() => join(repository.state.prepare(), 'cache', 'answers.db'));
    closers.push(() => opened.close());
    return opened;
  });
  const searchPath = env.PATH ?? '';
  const project = projectAccessors({ ...place, ...databases, code, searchPath });
  const { conventions } = project;
  const stores = { code, history, memory, recall, references };
  const knowledge = knowledgeAccessors({
    ...place,
    ...workParts,
    ...stores,
    chronicle,
    sessions,
    library,
    conventions,
    cachedAnswers,
  });
  const answers = once(async () => {
    const { createAnswers } = await import('./engines/answers/index.ts');
    return createAnswers({
      ...place,
      ...workParts,
      ...stores,
      ...knowledge,
      version,
      embedding: config.embedding,
      languageModel: languageModels.configuredModel,
      model: async () => (longLived ? model() : undefined),
      library,
      cachedAnswers,
      conventions,
    });
  });
  const transcripts = once(async () => {
    const { openTranscripts } = await import('./stores/transcripts/index.ts');
    return openTranscripts({ library: await library(), clock });
  });
  const running = runAccessors({ ...place, ...workParts, library, memory, answers, transcripts });
  const { guide, runs } = running;

  return {
    repository,
    git,
    user,
    env,
    clock,
    log,
    config,
    loadedConfig: loaded,
    rereadConfig: () => readConfig(request).loaded,
    trustedContent: request.trusted,
    notices,
    failures,
    events,
    ...databases,
    ...loginAccessors(place),
    ...peopleAccessors({ ...databases, isTeam: config.team.database !== '', clock }),
    ...languageModels,
    ...workParts,
    ...knowledge,
    neighbourhood: once(async () => {
      const { createNeighbourhood } = await import('./engines/neighbourhood/index.ts');
      return createNeighbourhood({ clock, ...workParts, ...knowledge, ...stores });
    }),
    ...running,
    answers,
    ...outside,
    ...project,
    ...agentAccessors({
      ...place,
      ...project,
      ...languageModels,
      ...outside,
      memory,
      library,
      runs,
      transcripts,
    }),
    clients: once(async () => {
      const { createClients } = await import('./engines/clients/index.ts');
      return createClients({ env, repository: repository.mainRoot, directory: join(user.data, 'clients') });
    }),
    ...memoryParts,
    history,
    code,
    indexing,
    recall,
    healIndex: async () => {
      if (history.peek() && (await history()).heal()) return true;
      return databases.replaceDamagedIndex();
    },
    startBackground: () =>
      startBackground({
        indexing,
        recall,
        embedReferences,
        guide,
        library: repository.state.library,
        log,
        isClosed: () => closed,
      }),
    onClose,
    close: async () => {
      closed = true;
      for (const work of closers.splice(0).reverse()) await work();
      databases.closeIndex();
    },
  };
}
