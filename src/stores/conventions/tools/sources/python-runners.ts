import { listAt, objectAt, readToml, textOf } from '../../dependencies/structured-text.ts';
import { lineOf, type NamedCommand } from './named-command.ts';

/** Environments of tox, from its own file or from pyproject.toml. `testenv` is the one that plain `tox` runs. */
export function toxEnvironments(text: string, directory: string, file: string): NamedCommand[] {
  return file.endsWith('pyproject.toml') ? fromToml(text, directory, file) : fromIni(text, directory, file);
}

const environment = (
  name: string,
  body: string,
  directory: string,
  file: string,
  line: number,
): NamedCommand => ({
  kind: 'tox',
  name,
  display: name === 'testenv' ? 'tox run' : `tox run -e ${name}`,
  body,
  needs: [],
  directory,
  file,
  line,
});

function fromIni(text: string, directory: string, file: string): NamedCommand[] {
  return [...text.matchAll(/^\[(testenv(?::[^\]]+)?)\]\n((?:(?!^\[).*\n?)*)/gm)].flatMap((match) => {
    const commands = /^commands\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?|\n)*)/m.exec(match[2]!)?.[1];
    if (!commands) return [];
    const name = match[1] === 'testenv' ? 'testenv' : match[1]!.slice('testenv:'.length);
    return [
      environment(name, commands.replace(/^\s*-\s*/gm, ''), directory, file, lineOf(text, match.index)),
    ];
  });
}

function fromToml(text: string, directory: string, file: string): NamedCommand[] {
  const tox = objectAt(readToml(text), 'tool', 'tox');
  const legacy = textOf(tox.legacy_tox_ini);
  if (legacy) return fromIni(legacy, directory, file);
  const commands = (env: unknown) =>
    listAt(env, 'commands')
      .map((line) =>
        Array.isArray(line)
          ? line.filter((word) => typeof word === 'string').join(' ')
          : (textOf(line) ?? ''),
      )
      .join('\n');
  const found: NamedCommand[] = [];
  const base = commands(tox.env_run_base);
  if (base)
    found.push(environment('testenv', base, directory, file, lineOf(text, text.indexOf('[tool.tox'))));
  for (const [name, value] of Object.entries(objectAt(tox, 'env'))) {
    const body = commands(value);
    if (body)
      found.push(environment(name, body, directory, file, lineOf(text, text.indexOf(`tox.env.${name}`))));
  }
  return found;
}

/** Sessions of nox: what their functions pass to `session.run`. */
export function noxSessions(text: string, directory: string, file: string): NamedCommand[] {
  return [...text.matchAll(/^@nox\.session[\s\S]*?^def (\w+)\([^)]*\)[^:]*:\n((?:[ \t]+.*\n?|\n)*)/gm)].map(
    (match) => {
      const lines = [...match[2]!.matchAll(/session\.run(?:_always)?\(([\s\S]*?)\)/g)].map((run) =>
        [...run[1]!.matchAll(/["']([^"']*)["']/g)].map((word) => word[1]).join(' '),
      );
      return {
        kind: 'nox',
        name: match[1]!,
        display: `nox -s ${match[1]}`,
        body: lines.join('\n'),
        needs: [],
        directory,
        file,
        line: lineOf(text, match.index),
      };
    },
  );
}

/** Tasks of poethepoet, pdm and hatch in pyproject.toml. */
export function pyprojectTasks(text: string, directory: string, file: string): NamedCommand[] {
  const manifest = readToml(text);
  const groups: Array<[string, Record<string, unknown>]> = [
    ['poe', objectAt(manifest, 'tool', 'poe', 'tasks')],
    ['pdm run', objectAt(manifest, 'tool', 'pdm', 'scripts')],
  ];
  for (const [env, value] of Object.entries(objectAt(manifest, 'tool', 'hatch', 'envs')))
    groups.push([env === 'default' ? 'hatch run' : `hatch run ${env}:`, objectAt(value, 'scripts')]);
  return groups.flatMap(([lead, tasks]) =>
    Object.entries(tasks).map(([name, value]) => ({
      kind: 'task' as const,
      name,
      display: lead.endsWith(':') ? `${lead}${name}` : `${lead} ${name}`,
      body: bodyOf(value),
      needs: [],
      directory,
      file,
      line: lineOf(text, Math.max(0, text.indexOf(`\n${name} =`))),
    })),
  );
}

function bodyOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(bodyOf).join('\n');
  const entry = objectAt({ value }, 'value');
  return (
    textOf(entry.cmd) ??
    textOf(entry.shell) ??
    (Array.isArray(entry.composite) ? entry.composite.map(bodyOf).join('\n') : '')
  );
}
