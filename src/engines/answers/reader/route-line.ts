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

/** What to do with a message that asks for work, in words for somebody who knows none of ours. */
const nextSteps: Partial<Record<Target, string>> = {
  architect:
    'To have it planned and done: `sylk run` with what you want in quotes. To keep it as a task: `sylk work plan`.',
  designer:
    'To have it done, give it to your coding agent. `sylk tokens` and `sylk components` show the design system.',
  engineer: 'To have it done by one agent: `sylk agent` with the task in quotes.',
  inspector: 'To have your changes checked: `sylk check`.',
  tester: 'To run the tests: `sylk tools` shows how. To have tests written, give it to your coding agent.',
  orchestrator: 'To see how the work stands: `sylk work board`.',
};

/** The next step for a message to an agent that works in runs only, where none goes on. */
export const nextStepFor = (target: Target): string =>
  nextSteps[target] ?? 'To have it done, give it to your coding agent.';

const asksSomething =
  /^\W*(?:who|whom|whose|what|which|when|where|wher|why|how|is|are|was|were|do|does|did|can|could|has|have|should|will)\b|\?\s*$/i;

/** The next step for a message that `ask` searches for although it is not a question for a specialist. */
export function nextStepOf({
  target,
  intent,
  verb,
  method,
  text = '',
}: Pick<Classification, 'target' | 'intent' | 'verb'> &
  Partial<Pick<Classification, 'method'>> & { text?: string }): string | undefined {
  // The words themselves are not put into a command: someone may copy it into a shell.
  if (target === 'guide') {
    // A question that only sounds like one about Sylk is one about the code.
    if (method === 'examples' && asksSomething.test(text)) return undefined;
    if (intent === 'SESSION') return 'If you meant your session with Sylk: `sylk session list`.';
    return intent === 'STATUS'
      ? 'If you meant how Sylk itself is doing: `sylk guide status`.'
      : 'If you meant what Sylk can do: `sylk guide help`.';
  }
  if (target === 'archivalist' && ['store', 'declare', 'complete'].includes(verb))
    return 'This tells something and asks nothing. To have it remembered: `sylk memory add`.';
  return isSpecialist(target) || asksSomething.test(text) ? undefined : nextStepFor(target);
}
