import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { hostileRepository } from '../tests/support/hostile-repository.ts';
import type { Bench } from './run-named.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'sylk');

const commands = [
  ['index'],
  ['status'],
  ['search', 'export'],
  ['why', 'src/a.ts'],
  ['call', 'get_artifact', '{"path":"link-to-file.txt"}'],
  ['call', 'get_artifact', '{"path":"link-to-directory/secret.txt"}'],
  ['call', 'get_artifact', '{"path":"environ.ts"}'],
  ['call', 'browse_skills', '{}'],
  ['call', 'get_briefing', '{}'],
  ['doctor'],
  ['index', '--rebuild'],
];

/** What the system saw: which programs were started, which connections opened, which files outside were read. */
const hostile: Bench = async () => {
  if (spawnSync('strace', ['-V']).status !== 0) {
    console.log('strace is not installed here.');
    return;
  }
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-hostile-')));
  const home = join(place, 'home');
  const repository = hostileRepository(place);
  const trace = join(place, 'trace');
  let lines = 0;
  const programs = new Map<string, number>();
  const suspicious: string[] = [];
  try {
    for (const command of commands) {
      const args = [
        '-f',
        '-qq',
        '-s',
        '300',
        '-o',
        trace,
        '-e',
        'trace=execve,connect,openat,open',
        launcher,
        ...command,
      ];
      const ran = await runProcess('strace', args, {
        cwd: repository.path,
        env: { HOME: home, SYLK_HOME: join(home, '.sylk') },
        timeoutMs: 300_000,
      });
      for (const line of readFileSync(trace, 'utf8').split('\n')) {
        lines++;
        const started = /execve\("([^"]+)".* = 0$/.exec(line)?.[1];
        if (started) programs.set(started, (programs.get(started) ?? 0) + 1);
        if (started?.startsWith(place)) suspicious.push(`${command.join(' ')}: started ${started}`);
        if (/connect\(.*AF_INET/.test(line)) suspicious.push(`${command.join(' ')}: ${line.slice(0, 160)}`);
        if (line.includes(join(place, 'outside')) && / = \d+$/.test(line))
          suspicious.push(`${command.join(' ')}: ${line.slice(0, 200)}`);
        if (/open(?:at)?\(.*"\/proc\/self\/environ".* = \d+$/.test(line))
          suspicious.push(`${command.join(' ')}: read the environment`);
      }
      console.log(`sylk ${command.join(' ')}: exit ${ran.code}`);
    }
    console.log(`${commands.length} commands, ${lines} system calls of interest`);
    console.log(
      `programs started: ${[...programs].map(([program, count]) => `${program} × ${count}`).join(', ')}`,
    );
    console.log(`traps sprung: ${repository.hits().join(', ') || 'none'}`);
    console.log(
      `suspicious: ${suspicious.length === 0 ? 'nothing' : `\n  ${suspicious.slice(0, 20).join('\n  ')}`}`,
    );
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

export default hostile;
