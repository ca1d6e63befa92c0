import type { AssistantMessage } from '../../base/model/index.ts';

/** What a model is sent and what it answers, as the loop reports it. */
interface StepUsage {
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** False where the figures are an estimate. */
  measured: boolean;
}

export interface StepCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  /** What the model wrote where that is no JSON object. */
  malformed?: string | undefined;
}

/**
 * One step of an agent. `asking` and `calling` are written before something is done, `said` and `result` after it: a
 * step without its other half was under way when the process ended.
 */
export type Step =
  /** A process starts to work, or goes on after another one ended. */
  | { kind: 'begun'; leg: number; epoch: number; worker: string; model?: string | undefined; sandbox: string }
  /** Text for the agent. `brief` opens a conversation: what came before it is not sent any more. */
  | {
      kind: 'told';
      from: 'brief' | 'feedback' | 'person' | 'question' | 'sylk';
      text: string;
      /** How many pieces of feedback the agent has been told of by now. */ feedback?: number | undefined;
    }
  | { kind: 'asking'; tools: string[] }
  | {
      kind: 'said';
      text: string;
      calls: StepCall[];
      finish: string;
      /** Questions of a person that this answers. */
      answers?: string[] | undefined;
      /** Undefined where an external agent said it: what a turn took is a step of its own, `spent`. */
      usage?: StepUsage | undefined;
      /** Tokens of the conversation with this answer: what failed attempts cost besides is not in it. */
      context?: number | undefined;
      /** US dollars; undefined where the price is unknown. */
      cost?: number | undefined;
      /** What only its own provider understands. */
      native?: AssistantMessage['native'];
    }
  | {
      kind: 'calling';
      call: string;
      name: string;
      input: Record<string, unknown>;
      /** For a change of a file: which one, and its digest before and after; '' where there is no file. */
      change?: { path: string; before: string; after: string } | undefined;
    }
  | {
      kind: 'result';
      call: string;
      name: string;
      text: string;
      isError: boolean;
      /** Text that nobody vouches for, such as the content of a file or the output of a program. */
      untrusted?: boolean | undefined;
      /** Done a second time, because the first was under way when a process ended. */
      repeated?: boolean | undefined;
      /** Which lines of which file were sent, by its digest. */
      read?: { path: string; digest: string; from: number; to: number } | undefined;
    }
  /** An external agent was started and has a conversation; `process` is who has to be ended if nobody else does. */
  | {
      kind: 'connected';
      agent: string;
      session: string;
      /** It goes on with a conversation that it kept itself. */
      isLoaded: boolean;
      process?: { pid: number; started: string } | undefined;
    }
  /** What a turn of an external agent took, as it reports or as it was counted; undefined cost is unknown, never zero. */
  | { kind: 'spent'; usage: StepUsage; cost?: number | undefined }
  | { kind: 'checkpoint'; commit: string; files: number }
  /** The agent's own words about its work so far, for whoever goes on with it. */
  | { kind: 'noted'; text: string; usage: StepUsage; cost?: number | undefined }
  /** A summary was stored when the window was filled to this percent: the how manieth of this node. */
  | { kind: 'summarised'; percent: number; index: number; text: string }
  /** From here on the agent is sent its task, this text, and the last messages of before. */
  | { kind: 'compacted'; text: string; kept: number }
  | { kind: 'note'; about: string; text: string }
  | { kind: 'ended'; leg: number; result: string; text: string };

export type RecordedStep = Step & { number: number; at: number };
