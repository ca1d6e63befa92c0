import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Stands only behind links that lead out of the repository: no answer and no file of the product may contain it. */
export const outsideSecret = 'OUTSIDE-SECRET-51c07f';

export interface Address {
  host: string;
  url: string;
}

/** One person's machine in small: a home, a parent directory with a neighbour, and a stranger's repository. */
export interface Place {
  root: string;
  home: string;
  repository: string;
  outside: string;
  /** The address of the listener that nobody may call without being told to. */
  listener: Address;
  /** The server that misbehaves as its paths say; a person may have allowed it. */
  server: Address;
  launcher: string;
  /** Writes a file of the repository; folders on the way are made. */
  write(path: string, content: string | Uint8Array): void;
  append(path: string, content: string): void;
  /** Puts a symbolic link in place of whatever is at the path. */
  link(path: string, target: string): void;
  /** Removes whatever is at the path and makes its folder. */
  clear(path: string): string;
  fifo(path: string): void;
  socket(path: string): void;
  /** A file of this many bytes without content. */
  sparse(path: string, bytes: number): void;
  git(...args: string[]): string;
  /** Feeds standard input to git, for thousands of objects or refs at once. */
  gitInput(input: string | Uint8Array, ...args: string[]): string;
  commitAll(message?: string): void;
  /** A program that leaves a mark when it runs and passes its input on, so that git continues. */
  trap(name: string): string;
  /** The traps that ran. */
  hits(): string[];
  /** Runs the product as the person who prepared the repository, with a home of their own. */
  asAuthor(...args: string[]): { code: number | null; out: string };
  /** Runs the product as the victim, to prepare what a person would have set up before. */
  asPerson(...args: string[]): { code: number | null; out: string };
}

export interface Product {
  launcher: string;
  directory: string;
}

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_AUTHOR_DATE: '@1735800000 +0000',
  GIT_COMMITTER_DATE: '@1735800000 +0000',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** The environment of a fresh account: nothing of the person who runs the lab gets in. */
export function environment(home: string, product: Product): NodeJS.ProcessEnv {
  return {
    HOME: home,
    PATH: process.env.PATH,
    USER: 'victim',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    NODE_COMPILE_CACHE: join(product.directory, 'node_modules/.cache/sylk-compiled'),
  };
}

/** Copies a prepared repository to `root` and adds the machine around it. */
export function makePlace(
  root: string,
  base: string,
  product: Product,
  around: { listener: Address; server: Address; home?: string; name?: string },
): Place {
  const { listener, server } = around;
  const at = (name: string) => join(root, name);
  const [home, repository, outside, canaries] = [
    around.home ?? at('home'),
    at(`parent/${around.name ?? 'repository'}`),
    at('outside'),
    at('canaries'),
  ];
  rmSync(root, { recursive: true, force: true });
  for (const directory of [home, at('parent'), outside, join(outside, 'folder'), canaries])
    mkdirSync(directory, { recursive: true });
  cpSync(base, repository, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Victim\n\temail = victim@example.org\n');
  writeFileSync(join(home, '.bashrc'), '# the shell of the person\n');
  writeFileSync(join(home, 'precious.txt'), 'PRECIOUS\n');
  writeFileSync(at('parent/neighbour.txt'), 'NEIGHBOUR\n');
  writeFileSync(join(outside, 'secret.txt'), `${outsideSecret}\n`);
  writeFileSync(join(outside, 'folder', 'secret.md'), `# ${outsideSecret}\n\n${outsideSecret}\n`);

  const run = (program: string, args: string[], options: object) =>
    spawnSync(program, args, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  const git = (input: string | Uint8Array, args: string[]): string => {
    const env = { ...process.env, ...identity, HOME: at('author') };
    const result = run('git', ['-c', 'core.hooksPath=/dev/null', ...args], { input, env });
    if (result.status !== 0) throw new Error(`git ${args.join(' ').slice(0, 80)}: ${result.stderr}`);
    return result.stdout.trimEnd();
  };
  const sylk = (person: string, args: string[]) => {
    mkdirSync(person, { recursive: true });
    const env = { ...environment(person, product), ...identity };
    const result = run('sh', [product.launcher, ...args], { input: '', env, timeout: 120_000 });
    return { code: result.status, out: `${result.stdout}${result.stderr}` };
  };
  const place: Place = {
    root,
    home,
    repository,
    outside,
    listener,
    server,
    launcher: product.launcher,
    write: (path, content) => {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), content);
    },
    append: (path, content) => appendFileSync(join(repository, path), content),
    link: (path, target) => symlinkSync(target, place.clear(path)),
    clear: (path) => {
      const file = join(repository, path);
      rmSync(file, { recursive: true, force: true });
      mkdirSync(dirname(file), { recursive: true });
      return file;
    },
    fifo: (path) => void spawnSync('mkfifo', [place.clear(path)]),
    socket: (path) =>
      void spawnSync(process.execPath, [
        '-e',
        "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))",
        place.clear(path),
      ]),
    sparse: (path, bytes) => {
      const file = place.clear(path);
      writeFileSync(file, '');
      truncateSync(file, bytes);
    },
    git: (...args) => git('', args),
    gitInput: (input, ...args) => git(input, args),
    commitAll: (message = 'chore: add files') => {
      git('', ['add', '-A', '-f']);
      git('', ['commit', '-q', '--allow-empty', '-m', message]);
    },
    trap: (name) => {
      const program = join(canaries, `${name}.sh`);
      writeFileSync(program, `#!/bin/sh\n: > '${join(canaries, `${name}.hit`)}'\ncat 2>/dev/null\n`);
      chmodSync(program, 0o755);
      return program;
    },
    hits: () =>
      (existsSync(canaries) ? readdirSync(canaries) : [])
        .filter((name) => name.endsWith('.hit'))
        .map((name) => name.slice(0, -'.hit'.length)),
    asAuthor: (...args) => sylk(at('author'), args),
    asPerson: (...args) => sylk(home, args),
  };
  return place;
}
