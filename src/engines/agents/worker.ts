import type { ModelDelta, ModelTool } from '../../base/model/index.ts';
import type { Role } from '../../stores/roles/index.ts';
import type { Feedback, Outcome } from '../../stores/runs/index.ts';
import type { RecordedStep, Step } from '../../stores/transcripts/index.ts';

/** What a worker is asked to do: one leg of one node of a run. Plain data, so that any process can take it up. */
export interface Brief {
  run: string;
  /** Where what the worker learns is kept. */
  session: string;
  node: string;
  /** How often the node was started, with the first as 1. */
  leg: number;
  /** `engineer`, `designer`, `tester`. */
  role: string;
  task: string;
  constraints: string[];
  /** What has to be true of the result. */
  criteria: string[];
  /** What nodes answered that this one depends on. */
  upstream: Array<{ node: string; output: string }>;
  /** What the memory has about the task, with where each piece comes from. Untrusted text. */
  context: string;
  /** How the project is checked: command lines. */
  checks: string[];
  /** Tools that another agent wants this one to see, by name: whoever planned the node. */
  tools?: string[] | undefined;
  /** Everything that judges and persons said of earlier legs, oldest first. */
  feedback: Feedback[];
  /** A word for this leg only: an answer, or the bundle of a worker whose context was full. */
  message?: string | undefined;
  /** Set where it is to be answered in words: how often the worker may look further, and how many tokens it may read there. */
  retrieval?: { rounds: number; tokens: number } | undefined;
}

/** A directory with the files of the node, apart from the person's own checkout. */
export interface WorkPlace {
  directory: string;
  /** The commit that it was made from. */
  base: string;
  /** For programs that are started here: ports and a name that no other work place has. */
  environment?: Record<string, string> | undefined;
}

/** A tool as a worker offers it to a model. */
export interface WorkTool extends ModelTool {
  tier: 'core' | 'contextual' | 'specialised';
  /** Words that load a contextual tool: any of them in what was said last. */
  words?: string[] | undefined;
  /** Parts of the work in which a contextual tool is loaded: `work`, or `feedback` once something was sent back. */
  phases?: string[] | undefined;
  /**
   * `read` has no effect, so that it can be done again; `change` writes a file of the work place; `command` runs a program;
   * `library` writes to the memory; `fetch` reaches outside this machine; `end` ends the leg.
   */
  effect: 'read' | 'change' | 'command' | 'library' | 'fetch' | 'end';
  run(input: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer>;
}

export interface ToolContext {
  place: WorkPlace;
  signal: AbortSignal;
  /** Called with what is about to be changed, before it is. Nothing is changed before it has returned. */
  announce(change: { path: string; before: string; after: string }): Promise<void>;
  /** What this conversation was sent of a file: the digest that it had, and which lines. */
  sentOf(path: string): Array<{ digest: string; from: number; to: number; step: number }>;
}

export interface ToolAnswer {
  text: string;
  isError?: boolean | undefined;
  /** Content of files, output of programs, pages: text that nobody vouches for. */
  untrusted?: boolean | undefined;
  read?: { path: string; digest: string; from: number; to: number } | undefined;
}

/** What a call wants to do, as policy and persons see it. */
export interface Permission {
  tool: string;
  effect: WorkTool['effect'];
  input: Record<string, unknown>;
  /** Files of the work place, below it. */
  paths?: string[] | undefined;
  /** A command line as it would be run. */
  command?: string | undefined;
  hosts?: string[] | undefined;
  /** Why a hook wants a person to decide. */
  ask?: string | undefined;
}

/** A word of a person in the middle of the work; a question is answered, and changes nothing of the task. */
export interface Spoken {
  text: string;
  isQuestion: boolean;
}

export interface WorkContext {
  place: WorkPlace;
  /** The role as its files say it is; without one the worker has all tools and a plain prompt. */
  role?: Role | undefined;
  /** Tools beside the files and commands of the work place: the memory. An external agent gets them over MCP. */
  tools: WorkTool[];
  /** US dollars that this leg may still cost; undefined without a limit. */
  budget: number | undefined;
  /** Aborted by a person's stop, by the end of the process, or when another process has taken over. */
  signal: AbortSignal;
  /** What a person said to the leg since the last look, and whether it is to be handed over. Ask before each step. */
  news(): Promise<{ said: Spoken[]; handOver: boolean }>;
  /** Grows with every process that takes the leg up. */
  epoch: number;
  /** The steps of this node so far, whoever made them. */
  past: RecordedStep[];
  /** Stores steps before the worker goes on, and shows them to whoever watches. Answers them without secrets. */
  onStep(...steps: Step[]): Promise<RecordedStep[]>;
  /** Shows what a model says while it says it. */
  onDelta?: ((delta: ModelDelta) => void) | undefined;
  /** Asks policy, and the person where policy says so. Resolves when it may be done; throws DENIED with the reason. */
  permit(permission: Permission): Promise<void>;
  /** Commits what the work place holds on a private ref, so that a later leg can go on from it. */
  checkpoint(): Promise<void>;
}

/** How a leg ends: exactly one of these. The commit is made by whoever started the worker, never by the worker. */
export type WorkResult = WithoutCommit<Outcome<'work'>>;
type WithoutCommit<Ended> = Ended extends unknown ? Omit<Ended, 'commit'> : never;

/** Does the work of a leg: our own loop over a model, or a coding agent that is driven from outside. */
export interface Worker {
  /** `own`, or the name of the agent. */
  readonly name: string;
  /** What is paid for: `provider/model`. Undefined where an external agent chooses. */
  readonly model: string | undefined;
  /** Whether all that it starts for a role is in the sandbox, so that nothing of it writes outside the work place. */
  isConfined(role: string): Promise<boolean>;
  /**
   * Works until the leg ends. It may be called again for the same leg after a process died: `past` then ends in the middle,
   * and what was finished there is not done again. A worker that can't go on throws; the leg has then failed.
   */
  work(brief: Brief, context: WorkContext): Promise<WorkResult>;
}
