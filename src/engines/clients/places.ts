import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where programs of this machine keep their settings. An argument everywhere, so that tests have a machine of their own. */
export interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export const placesOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Places => ({
  home: env.HOME || env.USERPROFILE || homedir(),
  env,
  platform,
});

/** `~/.config` and its kin for programs that follow XDG on every system. */
export const xdgConfig = ({ home, env }: Places, ...rest: string[]): string =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), ...rest);

/** The per-user directory of desktop programs: Application Support, %APPDATA% or ~/.config. */
export function applicationData(places: Places, ...rest: string[]): string {
  if (places.platform === 'darwin') return join(places.home, 'Library', 'Application Support', ...rest);
  if (places.platform === 'win32')
    return join(places.env.APPDATA || join(places.home, 'AppData', 'Roaming'), ...rest);
  return xdgConfig(places, ...rest);
}
