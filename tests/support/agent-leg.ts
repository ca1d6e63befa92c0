import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { findRepository, type Repository } from '../../src/base/git/index.ts';
import { type Library, openLibrary } from '../../src/base/library/index.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/base/model/index.ts';
import { describeSandbox } from '../../src/base/sandbox/index.ts';
import {
  confineTo,
  createOwnWorker,
  createPermits,
  joinHooks,
  runLeg,
  type Worker,
  type WorkTool,
} from '../../src/engines/agents/index.ts';
import { createNodeTrees } from '../../src/engines/worktrees/index.ts';
import { openApprovals } from '../../src/stores/approvals/index.ts';
import type { Role } from '../../src/stores/roles/index.ts';
import type { Feedback, Outcome, Signal } from '../../src/stores/runs/index.ts';
import { openTranscripts, type RecordedStep } from '../../src/stores/transcripts/index.ts';

/** One answer of a model: what it says to the last message. */
export type Answer = Partial<Pick<ModelReply, 'text' | 'finish'>> & {
  calls?: Array<{ name: string; input?: Record<string, unknown>; malformed?: string }>;
  /** Has to be in the last message. */
  expect?: string;
  tokens?: number;
};

/** A model that gives its answers in order, by how many it has given in this conversation. */
export function answering(
  answers: Array<Answer | ((request: ModelRequest) => Promise<Answer> | Answer)>,
  { window = 200_000 } = {},
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id: 'test/model',
    window,
    maxOutput: 4096,
    price: undefined,
    requests,
    stream: async (request) => {
      requests.push(structuredClone({ ...request, signal: undefined, onDelta: undefined }));
      const number = request.messages.filter(({ role }) => role === 'assistant').length;
      const next = answers[number];
      if (!next) throw new Error(`The model has no answer ${number + 1}.`);
      const answer = typeof next === 'function' ? await next(request) : next;
      const last = JSON.stringify(request.messages.at(-1));
      if (answer.expect !== undefined && !last.includes(answer.expect))
        throw new Error(`Expected ${answer.expect} in ${last}`);
      return replyOf(answer, number);
    },
  };
}

export function replyOf({ text = '', calls = [], finish, tokens = 100 }: Answer, number: number): ModelReply {
  const toolCalls = calls.map(({ input = {}, ...call }, at) => ({
    id: `call_${number}_${at}`,
    input,
    ...call,
  }));
  return {
    text,
    toolCalls,
    finish: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: {
      inputTokens: tokens,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 10,
      measured: true,
    },
    message: { role: 'assistant', text, toolCalls },
    attempts: 1,
  };
}

export const calls = (name: string, input: Record<string, unknown> = {}): Answer => ({
  calls: [{ name, input }],
});
export const completes: Answer = calls('signal_complete', { result: 'done' });

export interface LegOptions {
  repository: string;
  /** Where the library and the trees are. */
  home: string;
  base: string;
  /** Asked by our own loop; without one, `worker` works. */
  model?: Model;
  worker?: (places: { repository: Repository; home: string }) => Promise<Worker>;
  leg?: number;
  epoch?: number;
  task?: string;
  feedback?: Feedback[];
  message?: string;
  hooks?: Parameters<typeof joinHooks>;
  rules?: Parameters<typeof createPermits>[0]['rules'];
  known?: string[];
  isConfined?: boolean;
  /** Nothing is judged by policy. */
  allowAll?: boolean;
  waitMs?: number;
  budget?: number;
  tools?: WorkTool[];
  role?: Role;
  checkpointEvery?: number;
  /** Takes the documents that the agent writes. */
  store?: (category: string, text: string) => Promise<void>;
  /** Calls that a leg may make. */
  mostCalls?: number;
  hidden?: string[];
  /** What the tree may take on the disk. */
  mostMegabytes?: number;
  signal?: AbortSignal;
  signals?: () => Signal[];
  clock?: Clock;
  onStep?: (step: RecordedStep) => void;
  /** Called before and after every step that is written. */
  around?: (what: string) => void;
}

export interface LegResult {
  outcome: Outcome<'work'>;
  steps: RecordedStep[];
  directory: string;
}

/** Runs one leg, of our own loop if nothing else is given, with real git, library, files and sandbox. */
export async function runTestLeg(options: LegOptions): Promise<LegResult> {
  const { clock = systemClock, around = () => {} } = options;
  const library = openLibrary({ url: join(options.home, 'library.db') });
  try {
    const transcripts = openTranscripts({ library, clock });
    const repository = findRepository(options.repository, {
      ...process.env,
      SYLK_HOME: join(options.home, 'sylk'),
    });
    const { mostMegabytes } = options;
    const trees = createNodeTrees({ repository, directory: join(options.home, 'trees'), mostMegabytes });
    const tree = await trees.open({ run: 'run_1', node: 'work', base: options.base });
    const sandbox = await describeSandbox();
    const own = (model: Model) =>
      createOwnWorker({
        model,
        hooks: joinHooks(...(options.hooks ?? [])),
        runLine: confineTo({
          commonDirectory: repository.commonDirectory,
          packages: { root: repository.root, folders: [] },
          caches: join(options.home, 'caches'),
          hidden: options.hidden ?? [],
          unconfined: sandbox.kind === 'none',
        }),
        sandbox: sandbox.summary,
        isConfined: sandbox.kind !== 'none',
        checkpointEvery: options.checkpointEvery,
        store: options.store && ((_, category, text) => options.store?.(category, text) ?? Promise.resolve()),
        mostCalls: options.mostCalls,
      });
    const worker = options.worker
      ? await options.worker({ repository, home: options.home })
      : own(options.model ?? answering([]));
    const outcome = await runLeg({
      brief: {
        run: 'run_1',
        session: 'ses_1',
        node: 'work',
        leg: options.leg ?? 1,
        role: 'engineer',
        task: options.task ?? 'Do the task',
        constraints: [],
        criteria: [],
        upstream: [],
        context: '',
        checks: [],
        feedback: options.feedback ?? [],
        message: options.message,
      },
      worker,
      tree,
      transcripts: {
        ...transcripts,
        append: async (...given) => {
          around(`before ${given[2].map(({ kind }) => kind)}`);
          const steps = await transcripts.append(...given);
          around(`after ${given[2].map(({ kind }) => kind)}`);
          return steps;
        },
      },
      permits: options.allowAll ? { require: async () => {} } : permitsOf(library, clock, options),
      tools: options.tools ?? [],
      role: options.role,
      budget: options.budget,
      epoch: options.epoch ?? 1,
      signal: options.signal ?? new AbortController().signal,
      readSignals: async () => options.signals?.() ?? [],
      onStep: options.onStep ?? (() => {}),
    });
    return {
      outcome,
      steps: await transcripts.steps({ run: 'run_1', node: 'work' }),
      directory: tree.directory,
    };
  } finally {
    await library.close();
  }
}

const permitsOf = (library: Library, clock: Clock, options: LegOptions) =>
  createPermits({
    approvals: openApprovals({ library, clock, policy: { rules: [], restrict: [] }, expireHours: 1 }),
    repository: options.repository,
    rules: options.rules ?? [],
    known: options.known ?? [],
    isConfined: options.isConfined ?? true,
    waitMs: options.waitMs ?? 0,
    pollMs: 20,
  });

/** Paths and contents of everything in a tree but git's own files. */
export function treeDigest(directory: string): string {
  const hash = createHash('sha256');
  const visit = (path: string) => {
    for (const entry of readdirSync(join(directory, path), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (entry.name === '.git') continue;
      const below = join(path, entry.name);
      if (entry.isDirectory()) visit(below);
      else hash.update(`${below}\0${entry.isFile() ? readFileSync(join(directory, below)) : 'link'}\0`);
    }
  };
  visit('');
  return hash.digest('hex');
}
