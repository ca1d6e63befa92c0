import { objectAt, readJson, readToml, readYaml, textOf } from '../../dependencies/structured-text.ts';
import { lineOf, type NamedCommand } from './named-command.ts';

/** Ruby's rake: known task libraries say which tool a task runs; plain tasks say what they depend on. */
export function rakeTasks(text: string, directory: string, file: string): NamedCommand[] {
  const task = (name: string, body: string, index: number, needs: string[] = []): NamedCommand => ({
    kind: 'rake',
    name,
    display: name === 'default' ? 'bundle exec rake' : `bundle exec rake ${name}`,
    body,
    needs,
    directory,
    file,
    line: lineOf(text, index),
  });
  const found: NamedCommand[] = [];
  const libraries: Array<[RegExp, string, string]> = [
    [
      /(?:Rake::TestTask\.new|Minitest::TestTask\.create)(?:\s*\(?\s*:?['"]?:?([\w:]+))?/g,
      'test',
      'minitest',
    ],
    [/RSpec::Core::RakeTask\.new(?:\s*\(?\s*:?['"]?([\w:]+))?/g, 'spec', 'rspec'],
    [/RuboCop::RakeTask\.new(?:\s*\(?\s*:?['"]?([\w:]+))?/g, 'rubocop', 'rubocop'],
  ];
  for (const [pattern, fallback, body] of libraries)
    for (const match of text.matchAll(pattern)) found.push(task(match[1] ?? fallback, body, match.index));
  const plain =
    /^\s*task[ (]+(?::?['"]?([\w:]+)['"]?(?:\s*=>|:)?|['"]([\w:]+)['"]\s*=>)\s*(\[[^\]]*\]|%[iw]\[[^\]]*\]|:['"]?[\w:]+)?/gm;
  for (const match of text.matchAll(plain)) {
    const name = match[1]?.replace(/:$/, '') ?? match[2]!;
    const needs = [...(match[3] ?? '').matchAll(/:?['"]?([\w:]*\w)['"]?/g)].map((need) =>
      need[1]!.replace(/^:/, ''),
    );
    const body =
      /sh\s+["']([^"']+)["']/.exec(
        text.slice(match.index, match.index + 400).split(/^\s*(?:task|desc|namespace)\b/m)[1] ?? '',
      )?.[1] ?? '';
    if (name && (needs.length > 0 || body)) found.push(task(name, body, match.index, needs));
  }
  return found;
}

/** justfile recipes. */
export function justRecipes(text: string, directory: string, file: string): NamedCommand[] {
  return [...text.matchAll(/^@?([\w-]+)[^:=\n]*:(?!=)\s*([\w\s-]*)\n((?:[ \t]+.*\n?)*)/gm)].map((match) => ({
    kind: 'just',
    name: match[1]!,
    display: `just ${match[1]}`,
    body: match[3]!,
    needs: match[2]!.split(/\s+/).filter(Boolean),
    directory,
    file,
    line: lineOf(text, match.index),
  }));
}

/** Taskfile.yml, mise.toml and deno.json: named tasks with command lines. */
export function taskFile(text: string, directory: string, file: string): NamedCommand[] {
  const [lead, tasks] = /deno\.jsonc?$/.test(file)
    ? ['deno task', objectAt(readJson(text), 'tasks')]
    : file.endsWith('.toml')
      ? ['mise run', objectAt(readToml(text), 'tasks')]
      : ['task', objectAt(readYaml(text), 'tasks')];
  return Object.entries(tasks).map(([name, value]) => ({
    kind: 'task',
    name,
    display: `${lead} ${name}`,
    body: taskBody(value),
    needs: [],
    directory,
    file,
    line: lineOf(text, Math.max(0, text.indexOf(`${name}:`), text.indexOf(`[tasks.${name}]`))),
  }));
}

function taskBody(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(taskBody).join('\n');
  const entry = objectAt({ value }, 'value');
  const inner = entry.cmds ?? entry.run ?? entry.command ?? entry.cmd;
  return inner === undefined ? (textOf(entry.task) ? `task ${entry.task}` : '') : taskBody(inner);
}

/** Hooks that need no entry line of their own, by the name under which they are published. */
const knownHooks: Record<string, string> = {
  'ruff-check': 'ruff check',
  ruff: 'ruff check',
  'ruff-format': 'ruff format',
  terraform_fmt: 'terraform fmt',
  terraform_tflint: 'tflint',
  terraform_validate: 'terraform validate',
  'cargo-check': 'cargo check',
  fmt: 'cargo fmt',
  clippy: 'cargo clippy',
  'go-fmt': 'gofmt',
  'go-vet': 'go vet',
  'golangci-lint-full': 'golangci-lint run',
  'mirrors-clang-format': 'clang-format',
  'sp-repo-review': '',
};

/** Hooks of pre-commit (and prek, which reads the same file). */
export function preCommitHooks(
  text: string,
  directory: string,
  file: string,
  program: string,
): Array<NamedCommand & { pin?: string }> {
  const repos = readYaml(text).repos;
  if (!Array.isArray(repos)) return [];
  return repos.flatMap((repo) => {
    const hooks = objectAt({ repo }, 'repo').hooks;
    const pin = textOf(objectAt({ repo }, 'repo').rev)?.replace(/^v(?=\d)/, '');
    return (Array.isArray(hooks) ? hooks : []).flatMap((hook) => {
      const id = textOf(objectAt({ hook }, 'hook').id);
      if (!id) return [];
      return [
        {
          kind: 'hook' as const,
          name: id,
          display: `${program} run ${id} --all-files`,
          body: textOf(objectAt({ hook }, 'hook').entry) ?? knownHooks[id] ?? id,
          needs: [],
          directory,
          file,
          line: lineOf(
            text,
            Math.max(0, text.search(new RegExp(`id:\\s*["']?${id.replace(/[^\w-]/g, '.')}\\b`))),
          ),
          ...(pin && /^\d/.test(pin) ? { pin } : {}),
        },
      ];
    });
  });
}
