import { inDirectory } from '../places.ts';
import type { ToolUse } from './evidence-tables.ts';
import type { ProjectView } from './project-view.ts';
import { commandTables, recognise } from './recognise.ts';
import { commandsOf, programName, statements, unwrap } from './shell-words.ts';
import type { NamedCommand } from './sources/named-command.ts';

/** A command somebody can type, and the tools that run when it is typed. */
export interface RunnableCommand {
  command: string;
  /** Name of the script, target or task; '' for a bare command line. */
  name: string;
  /** What stands behind the name; the command itself where there is none. */
  body: string;
  uses: ToolUse[];
  /** 2: a main pipeline runs it; 1: another pipeline does; 0: none. */
  pipeline: 0 | 1 | 2;
  source: 'ci' | 'script' | 'hook';
  directory: string;
  file: string;
  line: number;
}

const maxDepth = 6;
const uniqueUses = (uses: ToolUse[]): ToolUse[] => [
  ...new Map(uses.map((use) => [`${use.tool} ${use.category}`, use])).values(),
];

/** Follows scripts, targets, tasks and shell files from every pipeline step and every named command down to tools. */
export function resolveCommands(view: ProjectView): RunnableCommand[] {
  const reached = new Map<NamedCommand, 1 | 2>();
  const resolver = createResolver(view, reached);
  const found: RunnableCommand[] = [];
  for (const step of view.steps) {
    for (const statement of statements(step.text)) {
      const uses = resolver.uses(statement, step.directory, step.main ? 2 : 1);
      if (uses.length === 0) continue;
      const command = commandText(statement);
      found.push({
        command,
        name: '',
        body: command,
        uses,
        pipeline: step.main ? 2 : 1,
        source: 'ci',
        directory: step.directory,
        file: step.file,
        line: step.line,
      });
    }
  }
  for (const named of [...view.commands, ...view.hooks]) {
    const uses = resolver.usesOf(named, 0);
    if (uses.length === 0) continue;
    found.push({
      command: named.display,
      name: named.name,
      body: named.body,
      uses,
      pipeline: reached.get(named) ?? 0,
      source: named.kind === 'hook' ? 'hook' : 'script',
      directory: named.directory,
      file: named.file,
      line: named.line,
    });
  }
  return found;
}

/** Without the variables a pipeline sets before a command: a person types the rest. */
const commandText = (statement: string): string =>
  statement
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim();

function createResolver(view: ProjectView, reached: Map<NamedCommand, 1 | 2>) {
  const open = new Set<NamedCommand>();
  const known = new Map<NamedCommand, ToolUse[]>();

  const usesOf = (named: NamedCommand, pipeline: 0 | 1 | 2, depth = 0): ToolUse[] => {
    if (pipeline > (reached.get(named) ?? 0)) reached.set(named, pipeline as 1 | 2);
    else if (known.has(named)) return known.get(named)!;
    if (open.has(named) || depth > maxDepth) return [];
    open.add(named);
    const found = statements(named.body).flatMap((statement) =>
      uses(statement, named.directory, pipeline, depth + 1),
    );
    for (const need of named.needs) {
      const target = view.commands.find(
        (other) => other.kind === named.kind && other.name === need && other.directory === named.directory,
      );
      if (target) found.push(...usesOf(target, pipeline, depth + 1));
    }
    open.delete(named);
    const result = uniqueUses(found);
    known.set(named, result);
    return result;
  };

  const uses = (statement: string, directory: string, pipeline: 0 | 1 | 2, depth = 0): ToolUse[] => {
    if (depth > maxDepth) return [];
    return uniqueUses(
      commandsOf(statement).flatMap((parts) => {
        const bare = unwrap(parts, commandTables().wrappers);
        if (bare.length === 0) return [];
        const inner = indirect(view, bare, directory);
        if (inner.named.length > 0) return inner.named.flatMap((named) => usesOf(named, pipeline, depth + 1));
        if (inner.script !== undefined)
          return statements(inner.script).flatMap((line) => uses(line, directory, pipeline, depth + 1));
        return recognise(bare);
      }),
    );
  };
  return { uses, usesOf };
}

interface Indirection {
  named: NamedCommand[];
  script?: string;
}

/** What a command stands for, if it only names another one. */
function indirect(view: ProjectView, parts: string[], directory: string): Indirection {
  const program = programName(parts[0]!);
  const args = parts.slice(1);
  const pick = (kind: NamedCommand['kind'], name: string, where?: string): NamedCommand[] =>
    view.commands.filter(
      (named) =>
        named.kind === kind &&
        matches(name, named.name) &&
        (where === undefined || named.directory === where),
    );
  if (/^(npm|pnpm|yarn|bun)$/.test(program)) return { named: packageScript(view, parts, directory) };
  if (/^(turbo|lerna|nx|wireit)$/.test(program)) {
    const tasks = args
      .filter((word) => /^[\w:-]+$/.test(word) && !/^(run|run-many|exec|affected|-.*)$/.test(word))
      .map((word) => word.replace(/^--targets?=/, ''));
    return {
      named: tasks.flatMap((task) => pick('script', task).filter((named) => named.directory !== directory)),
    };
  }
  if (/^(npm-run-all\d?|run-s|run-p|concurrently)$/.test(program))
    return {
      named: args
        .map((word) => word.replace(/^(npm|pnpm|yarn|bun):/, ''))
        .flatMap((name) => pick('script', name, directory)),
    };
  if (/^g?make$/.test(program)) {
    const at = args.indexOf('-C');
    const where = at >= 0 ? inDirectory(directory, args[at + 1] ?? '') : directory;
    const goals = args.filter(
      (word, index) => !word.startsWith('-') && !word.includes('=') && args[index - 1] !== '-C',
    );
    const names = goals.length > 0 ? goals : [view.defaultTargets.get(where) ?? ''];
    return { named: names.flatMap((name) => pick('make', name, where)) };
  }
  if (program === 'tox') return { named: toxEnvironment(view, args) };
  if (program === 'nox')
    return {
      named: optionValues(args, ['-s', '-e', '--session', '--sessions']).flatMap((name) =>
        pick('nox', name.replace(/-.*$/, '')),
      ),
    };
  if (program === 'rake') {
    const goals = args.filter((word) => /^[\w:]+$/.test(word));
    return { named: (goals.length > 0 ? goals : ['default']).flatMap((name) => pick('rake', name)) };
  }
  if (program === 'composer')
    return {
      named: args
        .filter((word) => !/^(run|run-script|exec|-.*)$/.test(word))
        .slice(0, 1)
        .flatMap((name) => pick('composer', name)),
    };
  if (/^(just|task|poe|hatch|mise)$/.test(program))
    return {
      named: args
        .filter((word) => !/^(run|r|-.*)$/.test(word))
        .flatMap((name) => [...pick('just', name), ...pick('task', name.replace(/^.*:/, ''))]),
    };
  if (/^(pre-commit|prek)$/.test(program) && args[0] === 'run') {
    const ids = args.slice(1).filter((word) => view.hooks.some((hook) => hook.name === word));
    return { named: view.hooks.filter((hook) => ids.length === 0 || ids.includes(hook.name)) };
  }
  return shellScript(view, parts, directory);
}

/** A name in a pipeline may hold an expression: `test-${{matrix.shell}}` stands for every target of that shape. */
function matches(wanted: string, name: string): boolean {
  if (wanted === name) return true;
  if (!/[*]|\$[{(]/.test(wanted)) return false;
  const pattern = wanted
    .split(/\$\{\{[^}]*\}\}|\$\([^)]*\)|\$\{[^}]*\}|\*+/)
    .map((part) => part.replace(/[^\w]/g, '\\$&'));
  return pattern.join('').length > 2 && new RegExp(`^${pattern.join('[\\w:.-]*')}$`).test(name);
}

function packageScript(view: ProjectView, parts: string[], directory: string): NamedCommand[] {
  const program = programName(parts[0]!);
  const flags = { everywhere: false, where: directory, turbo: false };
  const rest: string[] = [];
  for (let at = 1; at < parts.length; at++) {
    const word = parts[at]!;
    if (word === '--') break;
    if (/^(-r|--recursive|-ws|--workspaces|--parallel)$/.test(word)) flags.everywhere = true;
    else if (/^(-F|--filter|-w|--workspace)$/.test(word)) {
      flags.everywhere = !/^-w$/.test(word) || program === 'npm';
      if (program !== 'pnpm' || word !== '-w') at++;
    } else if (/^(--filter|--workspace)=/.test(word)) flags.everywhere = true;
    else if (/^(-C|--dir|--prefix|--cwd)$/.test(word))
      flags.where = inDirectory(directory, (parts[++at] ?? '').replace(/^\.\/?/, ''));
    else if (!word.startsWith('-')) rest.push(word);
  }
  if (rest[0] === 'workspaces' || rest[0] === 'workspace') {
    flags.everywhere = true;
    rest.splice(0, rest[0] === 'workspace' ? 2 : rest[1] === 'foreach' ? 2 : 1);
  }
  const [verb, target] = rest;
  const explicit = verb === 'run' || verb === 'run-script';
  const name = explicit ? target : verb === 't' || verb === 'tst' ? 'test' : verb;
  if (!name) return [];
  if (program === 'npm' && !explicit && name !== 'test') return [];
  const scripts = view.commands.filter((named) => named.kind === 'script' && matches(name, named.name));
  if (flags.everywhere) return scripts;
  const own = scripts.filter((named) => named.directory === flags.where);
  if (own.length > 0) return own;
  if (program === 'bun' && verb === 'test') return [];
  // `pnpm turbo lint`, `yarn eslint .`: a program of the project, not a script.
  return explicit ? [] : indirectProgram(view, rest, directory);
}

const indirectProgram = (view: ProjectView, rest: string[], directory: string): NamedCommand[] => {
  if (rest.length === 0 || /^(npm|pnpm|yarn|bun|install|add|build|ci)$/.test(rest[0]!)) return [];
  const inner = indirect(view, rest, directory);
  if (inner.named.length > 0) return inner.named;
  const uses = recognise(rest);
  if (uses.length === 0) return [];
  const body = rest.join(' ');
  return [
    { kind: 'script', name: '', display: body, body: `npx ${body}`, needs: [], directory, file: '', line: 0 },
  ];
};

function toxEnvironment(view: ProjectView, args: string[]): NamedCommand[] {
  const wanted = optionValues(args, ['-e', '-m']).flatMap((value) => value.split(','));
  const all = view.commands.filter((named) => named.kind === 'tox');
  const base = all.filter((named) => named.name === 'testenv');
  if (wanted.length === 0) return base;
  return wanted.flatMap((name) => {
    const exact = all.filter((named) => named.name === name || factors(named.name).includes(name));
    return exact.length > 0 ? exact : base;
  });
}

/** `{,ci-}py3` → py3, ci-py3. */
function factors(name: string): string[] {
  const group = /^(.*)\{([^}]*)\}(.*)$/.exec(name);
  return group
    ? group[2]!.split(',').flatMap((part) => factors(`${group[1]}${part.trim()}${group[3]}`))
    : [name];
}

function optionValues(args: string[], names: string[]): string[] {
  return args.flatMap((word, at) => {
    if (names.includes(word) && args[at + 1]) return [args[at + 1]!];
    const joined = names.find((name) => word.startsWith(`${name}=`));
    return joined ? [word.slice(joined.length + 1)] : [];
  });
}

/** `bash scripts/test.sh`, `./scripts/check`, `scripts/check`: a shell file of the project. */
function shellScript(view: ProjectView, parts: string[], directory: string): Indirection {
  const shell = /^(ba|z|da)?sh$/.test(programName(parts[0]!));
  if (shell && parts[1] === '-c' && parts[2]) return { named: [], script: parts[2] };
  const file = shell ? parts.slice(1).find((word) => !word.startsWith('-')) : parts[0];
  if (!file || !/^[\w./-]+$/.test(file) || !file.includes('/')) return { named: [] };
  const path = inDirectory(directory, file.replace(/^\.\//, ''));
  const text = view.texts.get(path) ?? view.texts.get(file.replace(/^\.\//, ''));
  if (
    text === undefined ||
    text.length > 100_000 ||
    !/^#!.*\b(ba|z|da)?sh\b|\.(ba)?sh$/.test(`${text.slice(0, 60)}\n${path}`)
  )
    return { named: [] };
  return { named: [], script: text };
}
