import { homedir } from 'node:os';
import { join } from 'node:path';
import { person } from './files/index.ts';

export interface UserDirectories {
  config: string;
  data: string;
  cache: string;
  /** Which state directories are this person's own, and the state of repositories that can't hold it. */
  state: string;
}

/**
 * SYLK_HOME, else the XDG directories. Version 0.1 used ~/.sylk where a variable was not set: it goes on being used for
 * config, data and cache until the XDG directory of that kind exists. Nothing is created here.
 */
export function userDirectories(env: NodeJS.ProcessEnv = process.env): UserDirectories {
  const home = env.SYLK_HOME;
  if (home) return { config: home, data: home, cache: join(home, 'cache'), state: join(home, 'state') };
  const own = env.HOME || homedir();
  const place = (variable: string | undefined, usual: string, before?: string): string => {
    if (variable) return join(variable, 'sylk');
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
