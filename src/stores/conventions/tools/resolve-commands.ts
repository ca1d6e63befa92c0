import type { ToolUse } from './evidence-tables.ts';
import type { ProjectView } from './project-view.ts';
import { commandTables, recognise } from './recognise.ts';
import { shellScript, startedBy } from './runners.ts';
import { commandsOf, statements, unwrap } from './shell-words.ts';
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

const maxDepth = 6;
const uniqueUses = (uses: ToolUse[]): ToolUse[] => [
  ...new Map(uses.map((use) => [`${use.tool} ${use.category} ${use.directory}`, use])).values(),
];

/** Follows scripts, targets, tasks and shell files from every CI step and every named command down to tools. */
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

/** Without the variables that a CI sets before a command: a person types the rest. */
const commandText = (statement: string): string =>
  statement
    .replace(/^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/, '')
    .replace(/\s+/g, ' ')
    .trim();

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
      ...statements(named.body).flatMap((statement) => uses(statement, named.directory, pipeline, depth + 1)),
      ...needed.flatMap((command) => usesOf(command, pipeline, depth + 1)),
    ]);
    open.delete(named);
    resolved.set(named, result);
    return result;
  };

  const uses = (statement: string, directory: string, pipeline: 0 | 1 | 2, depth = 0): ToolUse[] => {
    if (depth > maxDepth) return [];
    const usesOfWords = (words: string[]): ToolUse[] => {
      const command = unwrap(words, commandTables().wrappers);
      if (command.length === 0) return [];
      const started = startedBy(view, command, directory);
      if (started.length > 0) return started.flatMap((named) => usesOf(named, pipeline, depth + 1));
      const script = shellScript(view, command, directory);
      return script === undefined
        ? recognise(command).map((use) => ({ ...use, words: command, directory }))
        : statements(script).flatMap((line) => uses(line, directory, pipeline, depth + 1));
    };
    return uniqueUses(commandsOf(statement).flatMap(usesOfWords));
  };
  return { uses, usesOf };
}
