import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '../../src/base/model/index.ts';
import { createExternalAgents } from '../../src/engines/agents/index.ts';
import { type Answer, answering, calls, completes, type LegOptions } from './agent-leg.ts';
import type { Act, AgentScript } from './scripted-agent.ts';

/** What a worker does, whoever it is. Each list is what it does with one thing that it is told. */
export type Deed =
  | { write: string; text: string }
  | { run: string }
  | { call: string; input: Record<string, unknown> }
  | { ask: string }
  | { done: string }
  /** Has to be in what it was told last, or in what its last call answered. */
  | { expect: string };

export interface WorkerKind {
  name: string;
  /** Options of a leg whose worker does these deeds. */
  leg(deeds: Deed[][], place: string): Pick<LegOptions, 'model' | 'worker'>;
}

const program = join(import.meta.dirname, 'scripted-agent.ts');

/** Our own loop: each deed is an answer of its model. */
export const ownWorker: WorkerKind = {
  name: 'our own loop',
  leg: (deeds) => ({ model: modelOf(deeds.flat()) }),
};

function modelOf(deeds: Deed[]): Model {
  const answers: Answer[] = [];
  let expected: string | undefined;
  for (const deed of deeds) {
    if ('expect' in deed) {
      expected = deed.expect;
      continue;
    }
    answers.push(expected === undefined ? answerOf(deed) : { ...answerOf(deed), expect: expected });
    expected = undefined;
  }
  return answering(answers);
}

function answerOf(deed: Exclude<Deed, { expect: string }>): Answer {
  if ('write' in deed) return calls('write_file', { path: deed.write, content: deed.text });
  if ('run' in deed) return calls('run_command', { command: deed.run });
  if ('call' in deed) return calls(deed.call, deed.input);
  if ('ask' in deed) return calls('request_help', { question: deed.ask });
  return { ...completes, ...calls('signal_complete', { result: deed.done }) };
}

/** A coding agent over the protocol, confined or not. */
export const externalWorker = ({ unconfined }: { unconfined: boolean }): WorkerKind => ({
  name: `an external agent${unconfined ? '' : ' in the sandbox'}`,
  leg: (deeds, place) =>
    scriptedLeg(
      deeds.map((list) => list.flatMap(actsOf)),
      place,
      { unconfined, canResume: true, usage: { input: 100, output: 10 } },
    ),
});

export interface ScriptedLegOptions extends Omit<AgentScript, 'prompts'> {
  unconfined: boolean;
  hosts?: string[];
  minutes?: number;
  silentMinutes?: number;
  answerSeconds?: number;
}

/** A leg of the scripted agent, which does these acts with each prompt. */
export function scriptedLeg(
  prompts: Act[][],
  place: string,
  {
    unconfined,
    hosts = [],
    minutes = 5,
    silentMinutes = 5,
    answerSeconds = 120,
    ...about
  }: ScriptedLegOptions,
): Pick<LegOptions, 'worker'> {
  const home = join(place, 'agent-home');
  mkdirSync(home, { recursive: true });
  const script: AgentScript = { prompts, ...about };
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    program,
    JSON.stringify(script),
  ];
  return {
    worker: ({ repository }) =>
      createExternalAgents({
        configured: { scripted: { command, hosts, environment: unconfined ? { HOME: home } : {} } },
        env: process.env,
        version: '0.0.0',
        limits: { minutes, calls: 200, checkpointEvery: 2, silentMinutes, answerSeconds },
        surroundings: async () => ({
          commonDirectory: repository.commonDirectory,
          packages: { root: repository.root, folders: [] },
          hidden: [],
          homes: join(place, 'homes'),
          hosts: [],
          unconfined,
        }),
      }).worker('scripted'),
  };
}

function actsOf(deed: Deed): Act[] {
  if ('write' in deed) return [{ write: deed.write, text: deed.text, ask: true }];
  if ('run' in deed) return [{ run: deed.run, ask: true }];
  if ('call' in deed) return [{ call: deed.call, input: deed.input }];
  if ('ask' in deed) return [{ call: 'request_help', input: { question: deed.ask } }];
  return 'done' in deed ? [{ say: deed.done }] : [deed];
}
