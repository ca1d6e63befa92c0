import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import { type Intent, type Lane, type Target, targets, usualIntent } from './classification.ts';

export interface Command extends Lane {
  method: 'command' | 'address';
  reason: string;
  /** What is left to classify or to pass on. */
  rest: string;
  command?: { name: string; arguments: string[] };
}

const sessionActions = ['new', 'list', 'show', 'switch', 'suspend', 'resume', 'complete', 'close'];
const taskActions = ['prompt', 'query', 'interrupt', 'cancel', 'ignore_inspector', 'ignore_tester'];
const guideCommands: Record<string, Intent> = { help: 'HELP', status: 'STATUS' };

/** Other names under which the agents are addressed. */
const alsoCalled: Record<string, Target> = {
  router: 'guide',
  sylk: 'guide',
  history: 'archivalist',
  archivist: 'archivalist',
  codebase: 'librarian',
  research: 'academic',
  designer: 'designer',
};

/** `/session …`, `/task …`, `/help`, `/status` and `@agent …`: what needs no classification. Anything else is none. */
export function readCommand(text: string): Command | undefined {
  const plain = text.trim();
  const slash = /^\/(session|task|help|status)\b\s*([\s\S]*)$/i.exec(plain);
  if (slash) return slashCommand((slash[1] ?? '').toLowerCase(), (slash[2] ?? '').trim());
  const address = /^@([\p{L}_-]+)(?![\p{L}\p{N}_/.-])[\s,:]*([\s\S]*)$/u.exec(plain);
  return address ? addressed(address[1] ?? '', (address[2] ?? '').trim()) : undefined;
}

function slashCommand(name: string, rest: string): Command {
  const guide = { target: 'guide', method: 'command', rest } as const;
  const intent = guideCommands[name];
  if (intent)
    return {
      ...guide,
      intent,
      verb: 'recall',
      reason: `/${name} is a command of the Guide`,
      command: { name, arguments: words(rest) },
    };
  return name === 'session' ? sessionCommand(rest) : taskCommand(rest);
}

function sessionCommand(rest: string): Command {
  const [action = 'list', ...given] = words(rest);
  if (!sessionActions.includes(action)) throw unknown('/session', action, sessionActions);
  const needsId = ['switch', 'resume'].includes(action);
  if (needsId && given.length === 0)
    throw new SylkError('VALIDATION_ERROR', `/session ${action} needs the id of a session.`, {
      hint: '`/session list` shows them.',
    });
  return {
    target: 'guide',
    intent: 'SESSION',
    verb: 'declare',
    method: 'command',
    reason: '/session is a command of the Guide',
    rest: given.join(' '),
    command: { name: `session ${action}`, arguments: given },
  };
}

function taskCommand(rest: string): Command {
  const [pipeline, action, ...given] = words(rest);
  if (!pipeline || !action)
    throw new SylkError('VALIDATION_ERROR', '/task needs a pipeline and an action.', {
      hint: `Such as: /task 1 prompt "Focus on error handling first". Actions: ${taskActions.join(', ')}.`,
    });
  if (!taskActions.includes(action)) throw unknown('/task', action, taskActions);
  if (['prompt', 'query'].includes(action) && given.length === 0)
    throw new SylkError('VALIDATION_ERROR', `/task ${pipeline} ${action} needs a message.`, {
      hint: `Such as: /task ${pipeline} ${action} "…".`,
    });
  return {
    target: 'engineer',
    intent: 'TASK',
    verb: action === 'query' ? 'recall' : 'declare',
    method: 'command',
    reason: `/task speaks to the engineer of pipeline ${pipeline}`,
    rest: given.join(' '),
    command: { name: `task ${action}`, arguments: [pipeline, ...given] },
  };
}

function addressed(name: string, rest: string): Command | undefined {
  const lower = name.toLowerCase();
  const target = targets.find((each) => each === lower) ?? alsoCalled[lower];
  // A person may begin with the name of a person or of a package; only what is nearly an agent is a slip.
  if (!target) {
    const near = closest(lower, [...targets]);
    if (!near) return undefined;
    throw new SylkError('VALIDATION_ERROR', `There is no agent @${name}.`, {
      hint: `Did you mean @${near}?`,
    });
  }
  if (!rest)
    throw new SylkError('VALIDATION_ERROR', `@${target} was given nothing to answer.`, {
      hint: `Such as: @${target} where is the rate limiter.`,
    });
  return {
    target,
    intent: usualIntent(target),
    verb: 'recall',
    method: 'address',
    reason: `addressed to @${target}`,
    rest,
  };
}

const unknown = (command: string, action: string, known: readonly string[]) =>
  new SylkError('VALIDATION_ERROR', `${command} knows no ${JSON.stringify(action.slice(0, 40))}.`, {
    hint: `It knows: ${known.join(', ')}.`,
  });

/** Words of a command; what stands in quotes is one. */
const words = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
