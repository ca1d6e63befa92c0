import { inDirectory } from '../places.ts';
import type { ProjectView } from './project-view.ts';
import { recognise } from './recognise.ts';
import { programName } from './shell-words.ts';
import type { NamedCommand } from './sources/named-command.ts';

/** A command line that may start named commands of the project. */
interface Call {
  view: ProjectView;
  words: string[];
  args: string[];
  directory: string;
}

const namedLike = (
  { view }: Call,
  kind: NamedCommand['kind'],
  name: string,
  directory?: string,
): NamedCommand[] =>
  view.commands.filter(
    (command) =>
      command.kind === kind &&
      matches(name, command.name) &&
      (directory === undefined || command.directory === directory),
  );

/** The named commands that a runner starts, by the name of the runner. */
const runners: Array<[RegExp, (call: Call) => NamedCommand[]]> = [
  [/^(npm|pnpm|yarn|bun)$/, packageScript],
  [
    /^node$/,
    (call) =>
      optionValues(call.args, ['--run']).flatMap((name) => namedLike(call, 'script', name, call.directory)),
  ],
  [/^(turbo|lerna|nx|wireit)$/, workspaceTasks],
  [
    /^(npm-run-all\d?|run-s|run-p|concurrently)$/,
    (call) =>
      call.args
        .map((word) => word.replace(/^(npm|pnpm|yarn|bun):/, ''))
        .flatMap((name) => namedLike(call, 'script', name, call.directory)),
  ],
  [/^g?make$/, makeGoals],
  [/^tox$/, toxEnvironment],
  [
    /^nox$/,
    (call) =>
      optionValues(call.args, ['-s', '-e', '--session', '--sessions']).flatMap((name) =>
        namedLike(call, 'nox', name.replace(/-.*$/, '')),
      ),
  ],
  [
    /^rake$/,
    (call) => {
      const goals = call.args.filter((word) => /^[\w:]+$/.test(word));
      return (goals.length > 0 ? goals : ['default']).flatMap((name) => namedLike(call, 'rake', name));
    },
  ],
  [
    /^composer$/,
    (call) => {
      const name = call.args.find((word) => !/^(run|run-script|exec|-.*)$/.test(word));
      return name === undefined ? [] : namedLike(call, 'composer', name);
    },
  ],
  [
    /^(just|task|poe|hatch|mise)$/,
    (call) =>
      call.args
        .filter((word) => !/^(run|r|-.*)$/.test(word))
        .flatMap((name) => [
          ...namedLike(call, 'just', name),
          ...namedLike(call, 'task', name.replace(/^.*:/, '')),
        ]),
  ],
  [
    /^(pre-commit|prek)$/,
    ({ view, args }) => {
      if (args[0] !== 'run') return [];
      const named = view.hooks.filter((hook) => args.includes(hook.name, 1));
      return named.length > 0 ? named : view.hooks;
    },
  ],
];

/** The named commands that a command line starts; none when it starts a program itself. */
export function startedBy(view: ProjectView, words: string[], directory: string): NamedCommand[] {
  const program = programName(words[0] ?? '');
  const runner = runners.find(([programs]) => programs.test(program))?.[1];
  return runner?.({ view, words, args: words.slice(1), directory }) ?? [];
}

function workspaceTasks(call: Call): NamedCommand[] {
  return call.args
    .filter((word) => /^[\w:-]+$/.test(word) && !/^(run|run-many|exec|affected|-.*)$/.test(word))
    .flatMap((task) => namedLike(call, 'script', task))
    .filter((command) => command.directory !== call.directory);
}

function makeGoals(call: Call): NamedCommand[] {
  const { view, args, directory } = call;
  const at = args.indexOf('-C');
  const where = at >= 0 ? inDirectory(directory, args[at + 1] ?? '') : directory;
  const goals = args.filter(
    (word, index) => !word.startsWith('-') && !word.includes('=') && args[index - 1] !== '-C',
  );
  const names = goals.length > 0 ? goals : [view.defaultTargets.get(where) ?? ''];
  return names.flatMap((name) => namedLike(call, 'make', name, where));
}

/** A name in a CI file may contain an expression: `test-${{matrix.shell}}` matches every target of that shape. */
function matches(wanted: string, name: string): boolean {
  if (wanted === name) return true;
  if (!/[*]|\$[{(]/.test(wanted)) return false;
  const pattern = wanted
    .split(/\$\{\{[^}]*\}\}|\$\([^)]*\)|\$\{[^}]*\}|\*+/)
    .map((part) => part.replace(/[^\w]/g, '\\$&'));
  return pattern.join('').length > 2 && new RegExp(`^${pattern.join('[\\w:.-]*')}$`).test(name);
}

function packageScript({ view, words, directory }: Call): NamedCommand[] {
  const program = programName(words[0] ?? '');
  const { rest, everywhere, where } = packageArguments(words, directory);
  const [verb, target] = rest;
  const isExplicit = verb === 'run' || verb === 'run-script';
  const name = isExplicit ? target : verb?.replace(/^(t|tst)$/, 'test');
  if (!name || (program === 'npm' && !isExplicit && name !== 'test')) return [];
  const scripts = view.commands.filter((command) => command.kind === 'script' && matches(name, command.name));
  if (everywhere) return scripts;
  const own = scripts.filter((command) => command.directory === where);
  if (own.length > 0) return own;
  if (isExplicit || (program === 'bun' && verb === 'test')) return [];
  // `pnpm turbo lint`, `yarn eslint .`: a program of the project, not a script.
  return projectProgram(view, rest, directory);
}

/** Words of a package manager's command line without its options, and the packages it runs for. */
function packageArguments(words: string[], directory: string) {
  const program = programName(words[0] ?? '');
  let everywhere = false;
  let where = directory;
  const rest: string[] = [];
  const end = words.indexOf('--');
  const args = words.slice(1, end < 0 ? undefined : end);
  for (let word = args.shift(); word !== undefined; word = args.shift()) {
    if (/^(-r|--recursive|-ws|--workspaces|--parallel)$|^(--filter|--workspace)=/.test(word))
      everywhere = true;
    else if (/^(-F|--filter|-w|--workspace)$/.test(word)) {
      everywhere = word !== '-w' || program === 'npm';
      if (program !== 'pnpm' || word !== '-w') args.shift();
    } else if (/^(-C|--dir|--prefix|--cwd)$/.test(word))
      where = inDirectory(directory, (args.shift() ?? '').replace(/^\.\/?/, ''));
    else if (!word.startsWith('-')) rest.push(word);
  }
  const [verb, second] = rest;
  if (verb !== 'workspaces' && verb !== 'workspace') return { rest, everywhere, where };
  const skipped = verb === 'workspace' || second === 'foreach' ? 2 : 1;
  return { rest: rest.slice(skipped), everywhere: true, where };
}

function projectProgram(view: ProjectView, words: string[], directory: string): NamedCommand[] {
  if (/^(npm|pnpm|yarn|bun|install|add|build|ci)$/.test(words[0] ?? 'npm')) return [];
  const started = startedBy(view, words, directory);
  if (started.length > 0 || recognise(words).length === 0) return started;
  const display = words.join(' ');
  return [
    { kind: 'script', name: '', display, body: `npx ${display}`, needs: [], directory, file: '', line: 0 },
  ];
}

function toxEnvironment({ view, args }: Call): NamedCommand[] {
  const names = optionValues(args, ['-e', '-m']).flatMap((value) => value.split(','));
  const all = view.commands.filter((command) => command.kind === 'tox');
  const base = all.filter((command) => command.name === 'testenv');
  const parts = optionValues(args, ['-f']);
  if (parts.length > 0) return all.filter(({ name }) => parts.some((part) => name.split('-').includes(part)));
  if (names.length === 0) return base;
  return names.flatMap((name) => {
    const exact = all.filter((command) => command.name === name || factors(command.name).includes(name));
    return exact.length > 0 ? exact : base;
  });
}

/** `{,ci-}py3` → py3, ci-py3. */
function factors(name: string): string[] {
  const [, before = '', group, after = ''] = /^(.*)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  if (group === undefined) return [name];
  return group.split(',').flatMap((part) => factors(`${before}${part.trim()}${after}`));
}

function optionValues(args: string[], names: string[]): string[] {
  return args.flatMap((word, at) => {
    const value = names.includes(word)
      ? args[at + 1]
      : names.flatMap((name) => (word.startsWith(`${name}=`) ? word.slice(name.length + 1) : []))[0];
    return value ?? [];
  });
}

/** Text of the shell file that a command line runs: `bash scripts/test.sh`, `./scripts/check`, `sh -c '…'`. */
export function shellScript(view: ProjectView, words: string[], directory: string): string | undefined {
  const [first = '', second, third] = words;
  const isShell = /^(ba|z|da)?sh$/.test(programName(first));
  if (isShell && second === '-c' && third) return third;
  const file = isShell ? words.slice(1).find((word) => !word.startsWith('-')) : first;
  if (!file || !/^[\w./-]+$/.test(file) || !file.includes('/')) return undefined;
  const below = file.replace(/^\.\//, '');
  const path = inDirectory(directory, below);
  const text = view.texts.get(path) ?? view.texts.get(below);
  if (text === undefined || text.length > 100_000) return undefined;
  return /^#!.*\b(ba|z|da)?sh\b|\.(ba)?sh$/.test(`${text.slice(0, 60)}\n${path}`) ? text : undefined;
}
