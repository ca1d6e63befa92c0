import { dirname, isAbsolute, join } from 'node:path';
import { isWithin, person } from '../files/index.ts';
import { childEnvironment } from '../process/index.ts';
import { ownHomes, privatePlaces } from './private-places.ts';

/** Folders of a home directory that programs on PATH and their packages live in. */
const toolFolders =
  '.asdf .bun .cargo .deno .dotnet .fnm .gem .gradle .hex .local/bin .local/lib .local/share/fnm .local/share/mise .local/share/pnpm .local/share/uv .m2 .mix .npm-global .nuget .nvm .opam .pub-cache .pyenv .rbenv .rustup .rvm .sdkman .volta go';
const secretFiles =
  '.cargo/credentials .cargo/credentials.toml .gem/credentials .gradle/gradle.properties .m2/settings.xml .m2/settings-security.xml .nuget/NuGet/NuGet.Config';

const existingIn = (names: string) =>
  ownHomes()
    .flatMap((home) => names.split(' ').map((name) => join(home, name)))
    .filter(person.exists);

/** Where a person keeps the toolchain of Rust, if not in the usual place. */
const namedHomes = (env: NodeJS.ProcessEnv = process.env): string[] =>
  [env['CARGO_HOME'], env['RUSTUP_HOME']].flatMap((path) =>
    path !== undefined &&
    isAbsolute(path) &&
    !ownHomes().some((home) => isWithin(path, home)) &&
    person.exists(path)
      ? [path]
      : [],
  );

/** What programs need of places that are otherwise empty. */
export function toolchains(): string[] {
  const homes = ownHomes();
  const hidden = [...homes, ...privatePlaces()];
  const onPath = [...(childEnvironment().PATH ?? '').split(':'), dirname(process.execPath)]
    .filter((path) => path !== '' && person.exists(path))
    .filter((path) => hidden.some((place) => isWithin(place, path)) && !homes.includes(path))
    // A program needs what lies beside its bin directory.
    .map((path) => (/[/\\]s?bin$/.test(path) && !hidden.includes(dirname(path)) ? dirname(path) : path));
  const all = [...new Set([...existingIn(toolFolders), ...namedHomes(), ...onPath])].sort();
  return all.filter((path) => !all.some((other) => other !== path && isWithin(other, path)));
}

/** Credentials that package managers keep among their packages. */
export const secretsOfToolchains = (): string[] => [
  ...existingIn(secretFiles),
  ...namedHomes()
    .flatMap((home) => [join(home, 'credentials'), join(home, 'credentials.toml')])
    .filter(person.exists),
];
