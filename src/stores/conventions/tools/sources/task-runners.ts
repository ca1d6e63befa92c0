import { objectAt, readJson, readToml, readYaml, textOf } from '../../dependencies/structured-text.ts';
import { evidenceTables } from '../evidence-tables.ts';
import { type CommandFile, type NamedCommand, namedCommand, taskBody } from './named-command.ts';

/** Task libraries of rake, their default task names, and the tools they run. */
const rakeLibraries: Array<[RegExp, string, string]> = [
  [/(?:Rake::TestTask\.new|Minitest::TestTask\.create)(?:\s*\(?\s*:?['"]?:?([\w:]+))?/g, 'test', 'minitest'],
  [/RSpec::Core::RakeTask\.new(?:\s*\(?\s*:?['"]?([\w:]+))?/g, 'spec', 'rspec'],
  [/RuboCop::RakeTask\.new(?:\s*\(?\s*:?['"]?([\w:]+))?/g, 'rubocop', 'rubocop'],
];

const plainRakeTask =
  /^\s*task[ (]+(?::?['"]?([\w:]+)['"]?(?:\s*=>|:)?|['"]([\w:]+)['"]\s*=>)\s*(\[[^\]]*\]|%[iw]\[[^\]]*\]|:['"]?[\w:]+)?/gm;

/** Tasks of rake: known task libraries identify the tool; plain tasks list their dependencies. */
export function rakeTasks(file: CommandFile): NamedCommand[] {
  const { text } = file;
  const task = (index: number, name: string, body: string, needs: string[] = []): NamedCommand => {
    const display = name === 'default' ? 'bundle exec rake' : `bundle exec rake ${name}`;
    return namedCommand(file, index, { kind: 'rake', name, display, body, needs });
  };
  const tasks = rakeLibraries.flatMap(([pattern, fallback, body]) =>
    [...text.matchAll(pattern)].map((match) => task(match.index, match[1] ?? fallback, body)),
  );
  for (const match of text.matchAll(plainRakeTask)) {
    const name = match[1]?.replace(/:$/, '') ?? match[2];
    const needs = [...(match[3] ?? '').matchAll(/:?['"]?([\w:]*\w)['"]?/g)].map(([, need = '']) =>
      need.replace(/^:/, ''),
    );
    const after = text.slice(match.index, match.index + 400).split(/^\s*(?:task|desc|namespace)\b/m)[1] ?? '';
    const body = /sh\s+["']([^"']+)["']/.exec(after)?.[1] ?? '';
    if (name && (needs.length > 0 || body)) tasks.push(task(match.index, name, body, needs));
  }
  return tasks;
}

export function justRecipes(file: CommandFile): NamedCommand[] {
  const recipes = /^@?([\w-]+)[^:=\n]*:(?!=)\s*([\w\s-]*)\n((?:[ \t]+.*\n?)*)/gm;
  return [...file.text.matchAll(recipes)].map((match) => {
    const [, name = '', needs = '', body = ''] = match;
    return namedCommand(file, match.index, {
      kind: 'just',
      name,
      display: `just ${name}`,
      body: body.replace(/\{\{[^}]*\}\}/g, ''),
      needs: needs.split(/\s+/).filter(Boolean),
    });
  });
}

/** Taskfile.yml, mise.toml and deno.json: named tasks with command lines. */
export function taskFile(file: CommandFile): NamedCommand[] {
  const { path, text } = file;
  const [lead, read] =
    (/deno\.jsonc?$/.test(path) && (['deno task', readJson] as const)) ||
    (path.endsWith('.toml') && (['mise run', readToml] as const)) ||
    (['task', readYaml] as const);
  return Object.entries(objectAt(read(text), 'tasks')).map(([name, task]) => {
    const at = Math.max(text.indexOf(`${name}:`), text.indexOf(`[tasks.${name}]`));
    return namedCommand(file, at, { kind: 'task', name, display: `${lead} ${name}`, body: taskBody(task) });
  });
}

/** Hooks of pre-commit (and prek, which reads the same file). */
export function preCommitHooks(file: CommandFile, program: string): NamedCommand[] {
  const repositories = readYaml(file.text).repos;
  const known = evidenceTables().pre_commit_hooks;
  return (Array.isArray(repositories) ? repositories : []).flatMap((repository) => {
    const { hooks, rev } = objectAt(repository);
    const pin = textOf(rev)?.replace(/^v(?=\d)/, '');
    return (Array.isArray(hooks) ? hooks : []).flatMap((hook) => {
      const { id, entry } = objectAt(hook);
      if (typeof id !== 'string' || id === '') return [];
      const body = textOf(entry) ?? (Object.hasOwn(known, id) ? known[id] : undefined) ?? id;
      const at = file.text.search(new RegExp(`id:\\s*["']?${id.replace(/[^\w-]/g, '.')}\\b`));
      const command = namedCommand(file, at, {
        kind: 'hook',
        name: id,
        display: `${program} run ${id} --all-files`,
        body,
      });
      return [{ ...command, pin: pin && /^\d/.test(pin) ? pin : undefined }];
    });
  });
}
