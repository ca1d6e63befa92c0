import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { SylkError } from './errors.ts';
import { person } from './files/index.ts';

export interface UserDirectories {
  config: string;
  data: string;
  cache: string;
  /** Which state directories are this person's own, and the state of repositories that can't hold it. */
  state: string;
}

/** A relative or empty home is none, or the working tree would become it: the system's own record of the person holds. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  const places = [() => env.HOME, () => env.USERPROFILE, homedir, () => userInfo().homedir];
  for (const place of places) {
    try {
      const home = place();
      if (home && isAbsolute(home)) return home;
    } catch {
      // The system has no record of this user.
    }
  }
  throw new SylkError('UNAVAILABLE', 'No home directory is set.', {
    hint: 'Set HOME or SYLK_HOME to a directory of yours.',
  });
}

/**
 * SYLK_HOME, else the XDG directories. Version 0.1 used ~/.sylk where a variable was not set: it goes on being used for
 * config, data and cache until the XDG directory of that kind exists. Nothing is created here.
 */
export function userDirectories(env: NodeJS.ProcessEnv = process.env): UserDirectories {
  const home = env.SYLK_HOME;
  if (home) return { config: home, data: home, cache: join(home, 'cache'), state: join(home, 'state') };
  const place = (variable: string | undefined, usual: string, before?: string): string => {
    // The XDG specification has relative paths ignored.
    if (variable && isAbsolute(variable)) return join(variable, 'sylk');
    const own = homeDirectory(env);
    const standard = join(own, usual, 'sylk');
    return before && !person.exists(standard) && person.exists(join(own, before))
      ? join(own, before)
      : standard;
  };
  return {
    config: place(env.XDG_CONFIG_HOME, '.config', '.sylk'),
    data: place(env.XDG_DATA_HOME, '.local/share', '.sylk'),
    cache: place(env.XDG_CACHE_HOME, '.cache', '.sylk/cache'),
    state: place(env.XDG_STATE_HOME, '.local/state'),
  };
}
