import { homedir } from 'node:os';
import { join } from 'node:path';

export interface UserDirectories {
  config: string;
  data: string;
  cache: string;
}

/** SYLK_HOME, else the XDG directories where set, else ~/.sylk. Nothing is created here. */
export function userDirectories(env: NodeJS.ProcessEnv = process.env): UserDirectories {
  const home = env.SYLK_HOME;
  if (home) return { config: home, data: home, cache: join(home, 'cache') };
  const fallback = join(env.HOME || homedir(), '.sylk');
  return {
    config: env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, 'sylk') : fallback,
    data: env.XDG_DATA_HOME ? join(env.XDG_DATA_HOME, 'sylk') : fallback,
    cache: env.XDG_CACHE_HOME ? join(env.XDG_CACHE_HOME, 'sylk') : join(fallback, 'cache'),
  };
}
