import { listAt, objectAt, readToml, textOf } from '../../dependencies/structured-text.ts';
import { type CommandFile, type NamedCommand, namedCommand, taskBody } from './named-command.ts';

/** `3.1{0,3}-tests{,-be}` stands for several environments: the first of them has a name that can be typed. */
const firstOf = (name: string): string =>
  name
    .replace(/\{([^{},]*)(?:,[^{}]*)?\}/g, '$1')
    .split(',')[0]
    ?.trim() ?? name;

/** Directories that tox fills in mean nothing to a shell: an option that names one goes with it. */
const toxPlace = /[ \t]+(?:--?[\w-]+(?:=|[ \t]+))?[^\s={}]*\{[a-z_]+\}[^\s{}]*/g;

const environment = (file: CommandFile, index: number, name: string, body: string): NamedCommand =>
  namedCommand(file, index, {
    kind: 'tox',
    name,
    display: name === 'testenv' ? 'tox run' : `tox run -e ${name}`,
    body: body.replaceAll(toxPlace, ''),
  });

/** Environments of tox.ini. `testenv` is the one that plain `tox` runs. */
export function toxEnvironments(file: CommandFile): NamedCommand[] {
  return [...file.text.matchAll(/^\[(testenv(?::[^\]]+)?)\]\n((?:(?!^\[).*\n?)*)/gm)].flatMap((match) => {
    const [, section = '', body = ''] = match;
    const commands = /^commands\s*=\s*((?:.*\n?)(?:[ \t]+.*\n?|\n)*)/m.exec(body)?.[1];
    if (!commands) return [];
    return [
      environment(
        file,
        match.index,
        firstOf(section.replace(/^testenv:/, '')),
        commands.replace(/^\s*(?:[\w.,!-]+:\s+)?(?:-\s*)?|\{posargs(?:[^{}]|\{[^{}]*\})*\}/gm, ''),
      ),
    ];
  });
}

/** Environments of tox in pyproject.toml. */
export function pyprojectEnvironments(file: CommandFile): NamedCommand[] {
  const { text } = file;
  const tox = objectAt(readToml(text), 'tool', 'tox');
  const legacy = textOf(tox.legacy_tox_ini);
  if (legacy) return toxEnvironments({ ...file, text: legacy });
  const environments = [
    { name: 'testenv', value: tox.env_run_base, at: text.indexOf('[tool.tox') },
    ...Object.entries(objectAt(tox, 'env')).map(([name, value]) => ({
      name,
      value,
      at: text.indexOf(`tox.env.${name}`),
    })),
  ];
  return environments.flatMap(({ name, value, at }) => {
    const body = listAt(value, 'commands')
      .map((line) =>
        Array.isArray(line)
          ? line.filter((word) => typeof word === 'string').join(' ')
          : (textOf(line) ?? ''),
      )
      .join('\n');
    return body ? [environment(file, at, name, body)] : [];
  });
}

/** Sessions of nox: the arguments that their functions pass to `session.run`. */
export function noxSessions(file: CommandFile): NamedCommand[] {
  const sessions = /^@nox\.session[\s\S]*?^def (\w+)\([^)]*\)[^:]*:\n((?:[ \t]+.*\n?|\n)*)/gm;
  return [...file.text.matchAll(sessions)].map((match) => {
    const [, name = '', code = ''] = match;
    const body = [...code.matchAll(/session\.run(?:_always)?\(([\s\S]*?)\)/g)]
      .map(([, args = '']) => [...args.matchAll(/["']([^"']*)["']/g)].map(([, word]) => word).join(' '))
      .join('\n');
    return namedCommand(file, match.index, { kind: 'nox', name, display: `nox -s ${name}`, body });
  });
}

/** Tasks of poethepoet, pdm and hatch in pyproject.toml. */
export function pyprojectTasks(file: CommandFile): NamedCommand[] {
  const manifest = readToml(file.text);
  const groups: Array<[string, Record<string, unknown>]> = [
    ['poe ', objectAt(manifest, 'tool', 'poe', 'tasks')],
    ['pdm run ', objectAt(manifest, 'tool', 'pdm', 'scripts')],
  ];
  for (const [env, value] of Object.entries(objectAt(manifest, 'tool', 'hatch', 'envs')))
    groups.push([env === 'default' ? 'hatch run ' : `hatch run ${env}:`, objectAt(value, 'scripts')]);
  return groups.flatMap(([lead, tasks]) =>
    Object.entries(tasks).map(([name, task]) => {
      const at = file.text.indexOf(`\n${name} =`);
      return namedCommand(file, at, { kind: 'task', name, display: `${lead}${name}`, body: taskBody(task) });
    }),
  );
}
