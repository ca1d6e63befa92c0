import type { ToolUse } from './evidence-tables.ts';
import type { ProjectView } from './project-view.ts';
import { commandTables, recognise } from './recognise.ts';
import { shellScript, startedBy } from './runners.ts';
import { commandsOf, placedStatements, programName, unwrap } from './shell-words.ts';
import type { NamedCommand } from './sources/named-command.ts';

/** A command a person can type, and the tools it runs. */
export interface RunnableCommand {
  command: string;
  /** Name of the script, target or task; '' for a bare command line. */
  name: string;
  /** The command behind the name; the command itself if there is none. */
  body: string;
  uses: ToolUse[];
  /** 2: a main CI workflow runs it; 1: another one does; 0: none. */
  pipeline: 0 | 1 | 2;
  source: 'ci' | 'script' | 'hook';
  directory: string;
  file: string;
  line: number;
}

/** A command and its statements are a step each. */
const maxDepth = 16;
const uniqueUses = (uses: ToolUse[]): ToolUse[] => [
  ...new Map(
    uses.map((use) => [
      `${use.tool} ${use.category} ${use.directory} ${use.tool ? '' : use.words?.join(' ')}`,
      use,
    ]),
  ).values(),
];

/** Follows scripts, targets, tasks and shell files from every CI step and every named command down to tools. */
export function resolveCommands(view: ProjectView): RunnableCommand[] {
  const reached = new Map<NamedCommand, 1 | 2>();
  const resolver = createResolver(view, reached);
  const found: RunnableCommand[] = [];
  for (const step of view.steps) {
    for (const { statement, directory } of placedStatements(step.text, step.directory)) {
      const uses = resolver.uses(statement, directory, step.main ? 2 : 1).filter(({ tool }) => tool);
      if (uses.length === 0) continue;
      const command = commandText(statement);
      found.push({
        command,
        name: '',
        body: command,
        uses,
        pipeline: step.main ? 2 : 1,
        source: 'ci',
        directory,
        file: step.file,
        line: step.line,
      });
    }
  }
  for (const named of [...view.commands, ...view.hooks]) {
    const uses = withTestScript(named, resolver.usesOf(named, 0));
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

/** Programs that prepare, and programs of the shell itself. */
const preparation =
  /^(echo|exit|true|:|set|printf|export|rm|mkdir|cp|mv|source|\.|test|\[|\[\[|npm|pnpm|yarn|bun|pip3?|poetry|git|rollup|webpack|esbuild|babel|fi|done|then|else|sleep|cat|trap)$/;

/**
 * A script called `test` that starts none of the known tools (`node test/run.js`) is a test command of its own; one that
 * prints, lints or builds only is none.
 */
function withTestScript({ kind, name }: NamedCommand, uses: ToolUse[]): ToolUse[] {
  const named = uses.filter(({ tool }) => tool);
  if (
    !/^tests?$/.test(name) ||
    kind === 'hook' ||
    named.some(({ category }) => category === 'test_framework')
  )
    return named;
  const unknown = uses.filter(
    ({ tool, words = [] }) => !tool && !preparation.test(programName(words[0] ?? '')),
  );
  const isTest = ({ words = [] }: ToolUse) => /test|spec/i.test(words.join(' '));
  const isBuild = ({ words = [] }: ToolUse) =>
    /\b(build|compile|install|bundle|clean)\b/.test(words.join(' '));
  const found = unknown.find(isTest) ?? unknown.findLast((use) => !isBuild(use));
  return found ? [...named, { ...found, tool: kind === 'script' ? 'test script' : 'test task' }] : named;
}

/** Without the variables that a CI sets before a command, and without words of an `if` around it: a person types the rest. */
const commandText = (statement: string): string =>
  statement
    .replace(/^(?:(?:if|then|else|elif|do|while|until|!|\{|\(|time|exec)\s+)+/, '')
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Every line of a makefile has a shell of its own. */
const linesOf = ({ kind, body }: NamedCommand): string[] =>
  kind === 'make' ? body.replace(/\\\r?\n/g, ' ').split('\n') : [body];

/** What statements of a project's documents run. */
export const resolverOf = (view: ProjectView) => createResolver(view, new Map());

function createResolver(view: ProjectView, reached: Map<NamedCommand, 1 | 2>) {
  const open = new Set<NamedCommand>();
  const resolved = new Map<NamedCommand, ToolUse[]>();

  const usesOf = (named: NamedCommand, pipeline: 0 | 1 | 2, depth = 0): ToolUse[] => {
    const earlier = resolved.get(named);
    if (pipeline !== 0 && pipeline > (reached.get(named) ?? 0)) reached.set(named, pipeline);
    else if (earlier) return earlier;
    if (open.has(named) || depth > maxDepth) return [];
    open.add(named);
    const needed = named.needs.flatMap(
      (need) =>
        view.commands.find(
          ({ kind, name, directory }) =>
            kind === named.kind && name === need && directory === named.directory,
        ) ?? [],
    );
    const result = uniqueUses([
      ...linesOf(named).flatMap((line) => usesOfScript(line, named.directory, pipeline, depth + 1)),
      ...needed.flatMap((command) => usesOf(command, pipeline, depth + 1)),
    ]);
    open.delete(named);
    resolved.set(named, result);
    return result;
  };

  const usesOfScript = (script: string, directory: string, pipeline: 0 | 1 | 2, depth: number): ToolUse[] =>
    placedStatements(script, directory).flatMap((each) =>
      uses(each.statement, each.directory, pipeline, depth),
    );

  const uses = (statement: string, directory: string, pipeline: 0 | 1 | 2, depth = 0): ToolUse[] => {
    if (depth > maxDepth) return [];
    const usesOfWords = (words: string[]): ToolUse[] => {
      const command = unwrap(words, commandTables().wrappers);
      if (command.length === 0) return [];
      const started = startedBy(view, command, directory);
      if (started.length > 0) return started.flatMap((named) => usesOf(named, pipeline, depth + 1));
      const script = shellScript(view, command, directory);
      if (script !== undefined) return usesOfScript(script, directory, pipeline, depth + 1);
      const tools = recognise(command);
      // What starts no known tool may still be the tests.
      const found: ToolUse[] = tools.length > 0 ? tools : [{ tool: '', category: 'test_framework' }];
      return found.map((use) => ({ ...use, words: command, directory }));
    };
    return uniqueUses(commandsOf(statement).flatMap(usesOfWords));
  };
  return { uses, usesOf };
}
