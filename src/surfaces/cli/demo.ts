import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf, SylkError } from '../../base/errors.ts';
import { person, state, system } from '../../base/files/index.ts';
import { findLauncher } from '../../base/launcher.ts';
import { isRunning, runOnTerminal, runProcess } from '../../base/process/index.ts';
import { userDirectories } from '../../base/user-directory.ts';
import type { CommandRun } from './command.ts';
import { history, plan, script } from './demo-story.ts';
import { listenForInterrupt } from './interrupt.ts';

/**
 * Plays the whole product on a repository made on the spot: memory, plan, engineers, judges, one branch. Only the model's words are
 * scripted. All of it is in one directory, which is removed at the end. `sylk demo [--keep] [--no-dashboard]`.
 */
export const run: CommandRun = async (args, flags, io) => {
  const { keep, dashboard } = readFlags(args);
  const say = (line: string) => io.out(`${line}\n`);
  const interrupt = listenForInterrupt(['SIGINT', 'SIGTERM', 'SIGHUP'], (line) => io.err(line));
  const place = makePlace(userDirectories(io.env).cache);
  const repository = join(place, 'till');
  const env = { SYLK_HOME: join(place, 'home'), SYLK_DIR: '' };
  const launcher = findLauncher();
  const runHere = (command: string, words: string[], onOutput?: (chunk: Buffer) => void) =>
    runProcess(command, words, {
      cwd: repository,
      env,
      signal: interrupt.signal,
      onOutput,
      timeoutMs: 1_200_000,
    });
  const show = (chunk: Buffer) => io.out(chunk.toString('utf8'));
  const git = async (...words: string[]) => {
    const { code, stderr } = await runHere('git', [...author, ...words], show);
    if (code !== 0) throw new SylkError('UNAVAILABLE', `git ${words[0]} failed: ${stderr}`);
  };
  const sylk = async (...words: string[]) => {
    say(`\n$ sylk ${words.map(quoted).join(' ')}`);
    const { code } = await runHere(launcher, words, show);
    if (code !== 0) throw new SylkError('UNAVAILABLE', `sylk ${words[0]} ended with ${code}.`);
  };
  try {
    say('A small cash register with a history: four commits, one of them reverted.');
    await makeRepository(repository, git);
    await sylk('index');
    say('\nThe memory knows the history and the code …');
    await sylk('ask', 'why are amounts in cents?');
    await sylk('callers', 'written');
    say('\n… and what you and your agents decide.');
    await sylk(
      'memory',
      'add',
      'Amounts are whole cents; only src/money.js turns them into text.',
      '--category',
      'decision',
    );
    say(
      '\nA team works on a plan: engineers side by side, judged by the type checker and tests of the project.',
    );
    state.write(join(place, 'plan.yaml'), plan);
    state.write(join(place, 'script.json'), JSON.stringify(script));
    await sylk('plan', 'check', '../plan.yaml');
    await sylk('run', '--from', '../plan.yaml', '--model', 'script:../script.json', '--yes');
    say('\nOne branch, one commit for each node; your own branch is as it was.');
    say('\n$ git log --stat --oneline --branches=sylk/* --not main');
    await git('--no-pager', 'log', '--stat', '--oneline', '--branches=sylk/*', '--not', 'main');
    say('\nThe next agent starts with what this one learnt.');
    await sylk('brief');
    if (dashboard && io.terminal) await showDashboard(launcher, repository, { ...io.env, ...env });
    return 0;
  } catch (error) {
    const stopped = interrupt.exitCode();
    if (stopped !== undefined) return stopped;
    throw error;
  } finally {
    interrupt.end();
    if (keep) say(`\nKept in ${place}. SYLK_HOME=${env.SYLK_HOME} uses its memory.`);
    else {
      state.remove(place);
      if (!flags.quiet) say('\nEverything that the demo made is removed. In a repository of yours: sylk up');
    }
  }
};

const author = [
  '-c',
  'user.name=Demo',
  '-c',
  'user.email=demo@example.org',
  '-c',
  'core.hooksPath=/dev/null',
];

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/** In the cache of the person, because agents see nothing below the directory for temporary files. Leftovers of a killed demo go. */
function makePlace(cache: string): string {
  state.makeDirectory(cache);
  for (const { name } of state.list(cache)) {
    const process = /^demo-(\d+)-/.exec(name)?.[1];
    if (process && !isRunning(Number(process))) state.remove(join(cache, name));
  }
  return state.temporaryDirectory(`demo-${process.pid}-`, cache);
}

async function makeRepository(repository: string, git: (...words: string[]) => Promise<void>): Promise<void> {
  state.makeDirectory(repository);
  await git('init', '--quiet', '--initial-branch=main');
  for (const { subject, body, files } of history) {
    for (const [path, content] of Object.entries(files)) {
      state.makeDirectory(dirname(join(repository, path)));
      state.write(join(repository, path), content);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--message', body ? `${subject}\n\n${body}` : subject);
  }
  // The compiler that Sylk brings along is the type checker of the project.
  const compiler = dirname(fileURLToPath(import.meta.resolve('typescript-5/package.json')));
  const modules = join(repository, 'node_modules');
  state.copyDirectory(person.realPath(compiler), join(modules, 'typescript'), (name) =>
    /^(?:lib|package\.json)$/.test(name),
  );
  state.makeDirectory(join(modules, '.bin'));
  state.write(join(modules, '.bin/tsc'), "#!/usr/bin/env node\nimport '../typescript/lib/tsc.js';\n", {
    mode: 0o755,
  });
}

/** Serves until Ctrl-C, in this terminal: the link is for a person. */
async function showDashboard(launcher: string, repository: string, env: NodeJS.ProcessEnv): Promise<void> {
  const answer = system.askOnTerminal('\nLook at the run in the dashboard? Ctrl-C there ends it. [y/N] ');
  if (/^y/i.test(answer ?? ''))
    await runOnTerminal(`'${launcher.replaceAll("'", "'\\''")}' up`, repository, env);
}

function readFlags(args: string[]): { keep: boolean; dashboard: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        keep: { type: 'boolean', default: false },
        'no-dashboard': { type: 'boolean', default: false },
      },
    });
    return { keep: values.keep, dashboard: !values['no-dashboard'] };
  } catch (error) {
    throw new SylkError('VALIDATION_ERROR', messageOf(error), {
      hint: 'Usage: sylk demo [--keep] [--no-dashboard]',
    });
  }
}
