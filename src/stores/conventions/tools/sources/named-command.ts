import { objectAt, textOf } from '../../dependencies/structured-text.ts';
import { lineOf } from '../../places.ts';

/** A file that names commands. */
export interface CommandFile {
  path: string;
  directory: string;
  text: string;
}

/** A named command of the project: a package script, a Makefile target, a tox environment, a hook. */
export interface NamedCommand {
  kind: 'script' | 'make' | 'tox' | 'nox' | 'rake' | 'composer' | 'task' | 'just' | 'hook';
  name: string;
  /** What a person types to run it. */
  display: string;
  body: string;
  /** Other named commands of the same kind that run first. */
  needs: string[];
  directory: string;
  file: string;
  line: number;
  /** Version that a hook is pinned to. */
  pin?: string;
}

type CommandText = Pick<NamedCommand, 'kind' | 'name' | 'display' | 'body'> & { needs?: string[] };

/** `index` is where the command starts in the text of its file. */
export const namedCommand = (file: CommandFile, index: number, command: CommandText): NamedCommand => ({
  needs: [],
  ...command,
  directory: file.directory,
  file: file.path,
  line: lineOf(file.text, index),
});

/** The command lines of a task, in any runner. */
export function taskBody(task: unknown): string {
  if (typeof task === 'string') return task;
  if (Array.isArray(task)) return task.map(taskBody).join('\n');
  const { cmds, run, command, cmd, shell, composite, task: other } = objectAt(task);
  const found = cmds ?? run ?? command ?? cmd ?? shell ?? composite;
  if (found !== undefined) return taskBody(found);
  return textOf(other) ? `task ${other}` : '';
}
