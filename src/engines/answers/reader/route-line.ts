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
  architect:
    'Keep it as work with `sylk work plan`, or give it to your coding agent, who finds it with get_next_task.',
  designer:
    'Give it to your coding agent; `sylk tokens` and `sylk components` tell it what the design is made of.',
  engineer: 'There is no pipeline to speak to. Give it to your coding agent.',
  inspector: '`sylk tools` shows the linters and checkers of this project; your coding agent can run them.',
  tester:
    '`sylk tools` shows how the tests of this project are run; your coding agent can write and run them.',
  orchestrator: 'There is nothing that runs. `sylk work board` shows where the work stands.',
};

/** What to do with a message for an agent that this version does not run. */
export const nextStepFor = (target: Target): string =>
  `The ${target} needs agents, which this version does not run. ${nextSteps[target] ?? 'Give it to your coding agent.'}`;

/** What to do with a message that `ask` searches for although it is not a question for a specialist. */
export function nextStepOf({
  target,
  intent,
  verb,
}: Pick<Classification, 'target' | 'intent' | 'verb'>): string | undefined {
  // The words themselves are not put into a command: somebody may copy it into a shell.
  const through = 'say it to `sylk guide route`, or call route';
  if (target === 'guide')
    return `This is for the Guide itself: ${intent === 'SESSION' ? through : `sylk guide ${intent === 'STATUS' ? 'status' : 'help'}`}`;
  if (target === 'archivalist' && ['store', 'declare', 'complete'].includes(verb))
    return `This tells something rather than asks: ${through}`;
  return isSpecialist(target) ? undefined : nextStepFor(target);
}
