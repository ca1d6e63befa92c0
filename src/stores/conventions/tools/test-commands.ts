import type { ProjectView } from './project-view.ts';
import { type RunnableCommand, resolverOf } from './resolve-commands.ts';
import { documentedLines, isDocument, type TestCommand } from './sources/documents.ts';

/** Every command of the project that runs tests: scripts and CI steps, then what its documents say. */
export function testCommands(view: ProjectView, commands: RunnableCommand[]): TestCommand[] {
  const runsTests = ({ uses }: Pick<RunnableCommand, 'uses'>) =>
    uses.some(({ tool, category }) => tool && category === 'test_framework');
  const named = commands
    .filter((each) => runsTests(each) && !/\$\{\{|%\w+%/.test(each.command))
    .map(({ command, name, body, directory, file, line }) => ({
      command: view.chain.includes(directory) ? command : `cd ${directory} && ${command}`,
      file,
      line,
      about: `${name} ${body}`,
      isDocumented: false,
    }));
  // A part of the tests that starts a program of the project: `test:conformance`.
  const parts = view.commands
    .filter(({ name }) => /^tests?[:_-]\w/.test(name))
    .map(({ display, name, body, file, line }) => ({
      command: display,
      file,
      line,
      about: `${name} ${body}`,
      isDocumented: false,
    }));
  // Programs of the project that its test scripts start.
  const scripts = commands
    .flatMap(({ uses }) => uses)
    .filter(({ tool }) => /^test (script|task)$/.test(tool))
    .map(({ words = [] }) => words.join(' '));
  const resolver = resolverOf(view);
  const documented = [...view.texts]
    .filter(([path]) => isDocument(path))
    .flatMap(([path, text]) => documentedLines(path, text))
    .filter(
      ({ command }) =>
        runsTests({ uses: resolver.uses(command, '', 0) }) ||
        scripts.some((script) => command.startsWith(script)),
    );
  return [
    ...new Map(
      [...parts, ...named, ...documented].map((each) => [`${each.file} ${each.command}`, each]),
    ).values(),
  ];
}

const single = /\b(?:single|one|specific|individual|particular)\b/i;

/** Commands for one kind of tests (`loom`, `integration`), the likeliest first; `one` is a single test. */
export function testCommandsFor(commands: TestCommand[], which: string): TestCommand[] {
  const wanted = which.toLowerCase().replace(/^end.?to.?end$/, 'e2e');
  const inCommand = new RegExp(`(?<![a-z])${wanted.replace(/[^\w]/g, '\\$&')}`, 'i');
  const worth = ({ command, about, isDocumented }: TestCommand): number => {
    if (wanted === 'one') {
      const line = about.slice(about.lastIndexOf('\n', about.length - command.length - 2));
      return isDocumented && (single.test(line) || single.test(about.slice(-160))) ? 1 : 0;
    }
    if (inCommand.test(command)) return isDocumented ? 4 : 3;
    return inCommand.test(about) ? (isDocumented ? 2 : 1) : 0;
  };
  return commands
    .map((command) => ({ command, points: worth(command) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ command }) => command);
}
