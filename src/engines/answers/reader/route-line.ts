import { type Classification, isSpecialist, type Target } from './classification.ts';

type Route = Pick<
  Classification,
  'target' | 'intent' | 'subject' | 'confidence' | 'method' | 'reason' | 'also'
> & { time_scope?: { phrase: string } | undefined };

/** Where a question goes and why, in one line. */
export const routeLine = ({
  target,
  intent,
  subject,
  time_scope,
  confidence,
  method,
  reason,
  also,
}: Route): string =>
  `→ ${[target, ...also].join(' and ')} · ${intent}${subject ? ` · ${subject}` : ''}${time_scope ? ` · ${time_scope.phrase}` : ''} (${method} ${confidence.toFixed(2)}: ${reason})`;

const nextSteps: Partial<Record<Target, string>> = {
  architect: '`sylk run` with what you want in quotes plans and does it; `sylk work plan` keeps it as work.',
  designer: 'Give it to your coding agent. `sylk tokens` and `sylk components` show the design system.',
  engineer: '`sylk agent` with the task in quotes lets one engineer do it.',
  inspector: 'Run `sylk check` to check your changes, or give it to your coding agent.',
  tester: 'Run `sylk tools` to see how tests are run here; your coding agent can write and run them.',
  orchestrator: 'Run `sylk work board` to see the state of the work.',
};

/** The next step for a message to an agent that works in runs only, where none goes on. */
export const nextStepFor = (target: Target): string =>
  `The ${target} works in a run, and none goes on. ${nextSteps[target] ?? 'Give it to your coding agent.'}`;

/** The next step for a message that `ask` searches for although it is not a question for a specialist. */
export function nextStepOf({
  target,
  intent,
  verb,
}: Pick<Classification, 'target' | 'intent' | 'verb'>): string | undefined {
  // The words themselves are not put into a command: someone may copy it into a shell.
  const through = 'run `sylk guide route`';
  if (target === 'guide')
    return `This is for the Guide: ${intent === 'SESSION' ? through : `sylk guide ${intent === 'STATUS' ? 'status' : 'help'}`}`;
  if (target === 'archivalist' && ['store', 'declare', 'complete'].includes(verb))
    return `This is a statement, not a question: ${through}`;
  return isSpecialist(target) ? undefined : nextStepFor(target);
}
