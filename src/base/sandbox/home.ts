import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isWithin, person } from '../files/index.ts';
import { childEnvironment } from '../process/index.ts';

/** Folders of a home directory that programs on PATH and their packages live in. */
const toolFolders =
  '.asdf .bun .cargo .deno .dotnet .fnm .gem .gradle .hex .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/pnpm .local/share/uv .m2 .mix .npm-global .nuget .nvm .opam .pub-cache .pyenv .rbenv .rustup .rvm .sdkman .volta go';
const secretFiles =
  '.cargo/credentials .cargo/credentials.toml .gem/credentials .gradle/gradle.properties .m2/settings.xml .m2/settings-security.xml .nuget/NuGet/NuGet.Config';

const existingIn = (names: string) =>
  names
    .split(' ')
    .map((name) => join(homedir(), name))
    .filter(person.exists);

/** What programs need of a home directory that is otherwise empty. */
export function toolchains(): string[] {
  const home = homedir();
  const onPath = [...(childEnvironment().PATH ?? '').split(':'), dirname(process.execPath)]
    .filter((path) => path !== '' && isWithin(home, path) && path !== home && person.exists(path))
    // A program needs what lies beside its bin directory.
    .map((path) => (/[/\\]s?bin$/.test(path) && dirname(path) !== home ? dirname(path) : path));
  const all = [...new Set([...existingIn(toolFolders), ...onPath])].sort();
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)));
}

/** Credentials that package managers keep among their packages. */
export const secretsOfToolchains = (): string[] => existingIn(secretFiles);
