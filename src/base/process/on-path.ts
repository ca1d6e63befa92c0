import { delimiter, isAbsolute, join } from 'node:path';
import { person, system } from '../files/index.ts';
import { childEnvironment } from './environment.ts';

/** The file of a program on PATH without the working tree: a clone could have placed a program there. */
export function programOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const candidates = isAbsolute(name)
    ? [name]
    : (childEnvironment({}, env).PATH ?? '')
        .split(delimiter)
        .filter(Boolean)
        .map((directory) => join(directory, name));
  const path = candidates.find((candidate) => person.entry(candidate) && system.isProgram(candidate));
  return path === undefined ? undefined : person.realPath(path);
}
