/** A command that the project gave a name: a package script, a Makefile target, a tox environment, a hook. */
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
}

export const lineOf = (text: string, index: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
};
