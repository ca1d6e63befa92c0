import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { linesOf } from './programs.ts';

const mostFiles = 3000;
const testing =
  /(?:npm|yarn|pnpm|bun)(?: run)? (?:t|test|tests|ci|check)\b[\w:-]*|\b(?:vitest|jest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|ctest)\b|\bhatch [\w :.-]*test|cargo (?:\+\S+ )?(?:test|nextest)|\bgo test\b|\bmake [\w-]*(?:test|check)\w*|\brake\b|composer (?:run(?:-script)? )?[\w:-]*test|\bmvnw? .*(?:test|verify)|gradlew? .*(?:test|check|build)|dotnet test|deno test|bin\/rails test/g;

/** `npm run test` and `yarn test` are one script; tox, nox and hatch run pytest. */
function familyOf(command: string): string {
  const [, script] = /(?:npm|yarn|pnpm|bun)(?: run)? ([\w:-]+)/.exec(command) ?? [];
  if (script) return `script ${script === 't' ? 'test' : script}`;
  if (/pytest|unittest|tox|nox|hatch/.test(command)) return 'pytest';
  const [, made] = /\bmake ([\w-]+)/.exec(command) ?? [];
  if (made) return `make ${made}`;
  return (/cargo|go test|vitest|jest|mocha|ava|rspec|rake|phpunit|composer|mvn|gradle|dotnet|deno|ctest|rails/.exec(
    command,
  ) ?? [command])[0];
}

/** The commands that the workflows of a repository run, as families; none where nothing there looks like a test. */
const commandsOfWorkflows = (repository: string): Set<string> =>
  new Set(
    linesOf(repository, 'git', ['grep', '-h', '-I', '-e', '', 'HEAD', '--', '.github/workflows'])
      .filter((line) => !/^\s*(?:#|- name:|name:|uses:)/.test(line))
      .flatMap((line) => line.match(testing) ?? [])
      .map(familyOf),
  );

/** The first command for tests, beside what the project's own workflows run. Whatever differs is printed, to be read by hand. */
export async function measureCommands(repositories: string[], most: number): Promise<void> {
  let asked = 0;
  let right = 0;
  let without = 0;
  for (const repository of repositories) {
    if (asked === most) break;
    const truth = commandsOfWorkflows(repository);
    if (truth.size === 0) continue;
    if (linesOf(repository, 'git', ['ls-tree', '-r', '--name-only', 'HEAD']).length > mostFiles) continue;
    asked++;
    const command = await firstCommand(repository);
    if (!command) without++;
    const isRight = command !== undefined && truth.has(familyOf(command));
    right += Number(isRight);
    if (!isRight)
      console.log(
        `      ${nameOf(repository)}: ${command ?? 'none'}; workflows run ${[...truth].join(', ')}`,
      );
  }
  console.log(
    `  test commands: ${right} of ${asked} are run by the project's workflows; none named ${without}`,
  );
}

const nameOf = (repository: string): string =>
  basename(repository) === 'repo' ? basename(dirname(repository)) : basename(repository);

async function firstCommand(repository: string): Promise<string | undefined> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-commands-'));
  const root = join(place, 'repository');
  try {
    execFileSync('git', ['clone', '-q', '--shared', repository, root]);
    const app = openApp({ directory: root, env: { PATH: process.env.PATH, HOME: join(place, 'home') } });
    const outcome = await runOperation(app, {
      name: 'discover_tools',
      input: { category: 'test_framework' },
      caller: { kind: 'person', name: 'truth' },
    });
    await app.close();
    if (!outcome.ok) return undefined;
    const { tools } = outcome.output as { tools: Array<{ run_command: string; source: string }> };
    return tools.find(({ source }) => source !== 'registry')?.run_command;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
