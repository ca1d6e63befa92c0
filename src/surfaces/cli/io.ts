/** A command's access to the outside, passed in so that tests can replace it. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** True when standard error is a terminal: progress may be drawn. */
  terminal: boolean;
  colour: boolean;
  /** True when a person sits before both ends: they type, and see what is written. */
  interactive?: boolean;
}

export function processIo(): Io {
  const env = process.env;
  const terminal = Boolean(process.stderr.isTTY) && env.TERM !== 'dumb';
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env,
    cwd: process.cwd(),
    terminal,
    colour: Boolean(process.stdout.isTTY) && terminal && !env.NO_COLOR,
    interactive: Boolean(process.stdin.isTTY && process.stdout.isTTY),
  };
}
