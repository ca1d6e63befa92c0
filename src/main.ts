import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { tellLostOutput } from './base/lost-output.ts';
import { version } from './version.ts';

tellLostOutput();
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`);
} else {
  const { userDirectories } = await import('./base/user-directory.ts');
  const { person } = await import('./base/files/index.ts');
  // Never in a repository, whose compiled code would run before anyone trusted it; and only if the person already
  // has a Sylk directory, because a first run must leave nothing behind.
  try {
    const { cache, data } = userDirectories();
    if (person.exists(data)) enableCompileCache(join(cache, 'compiled'));
  } catch {
    // Without a home the command itself says so.
  }
  const { processIo, runCli } = await import('./surfaces/cli/index.ts');
  process.exitCode = await runCli(args, processIo());
}
