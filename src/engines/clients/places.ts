import { isAbsolute, join } from 'node:path';
import { homeDirectory } from '../../base/user-directory.ts';

/** Where programs of this machine keep their settings. An argument everywhere, so that tests have a machine of their own. */
export interface Places {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export const placesOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): Places => ({
  home: homeDirectory(env),
  env,
  platform,
});

/** `~/.config` and its kin for programs that follow XDG on every system. */
export const xdgConfig = ({ home, env }: Places, ...rest: string[]): string =>
  join(isAbsolute(env.XDG_CONFIG_HOME ?? '') ? (env.XDG_CONFIG_HOME ?? '') : join(home, '.config'), ...rest);

/** The per-user directory of desktop programs: Application Support, %APPDATA% or ~/.config. */
export function applicationData(places: Places, ...rest: string[]): string {
  if (places.platform === 'darwin') return join(places.home, 'Library', 'Application Support', ...rest);
  if (places.platform === 'win32')
    return join(places.env.APPDATA || join(places.home, 'AppData', 'Roaming'), ...rest);
  return xdgConfig(places, ...rest);
}

/**
 * How Sylk is started. A person's own file uses the full path of this installation, because desktop programs start
 * with a short PATH; a shared file must work on every machine, so it uses `sylk`.
 */
export function launcherWords(scope: 'user' | 'project', launcher: string): [string, ...string[]] {
  if (scope === 'project') return ['sylk'];
  return /[\\/]_npx[\\/]/.test(launcher) ? ['npx', '-y', 'sylk'] : [launcher];
}
