import { join } from 'node:path';
import { person, state } from '../../../base/files/index.ts';
import { programOnPath } from '../../../base/process/index.ts';
import {
  type CodeServer,
  openCodeServer,
  programOutside,
  type ServedFiles,
  uriOfDirectory,
} from './code-server.ts';

/** The language server of Go, where the person has it and Go itself on PATH. */
export const goplsProgram = (root: string): string | undefined =>
  programOutside(root, ['go']) && programOutside(root, ['gopls']);

/**
 * The server asks `go` for packages, and finds no other program: neither git nor a C compiler. No toolchain or module is
 * fetched, no settings of Go hold but these, and `go.mod` is never written. Packages of the person's module cache are read.
 */
export function startGopls(program: string, { root, megabytes, ended }: ServedFiles): Promise<CodeServer> {
  const directory = state.temporaryDirectory('sylk-go-');
  state.addRoot(directory);
  const programs = join(directory, 'bin');
  state.makeDirectory(programs);
  const go = programOnPath('go');
  if (go) state.addLink(join(programs, 'go'), go);
  const isVendored = person.exists(join(root, 'vendor', 'modules.txt'));
  const uri = uriOfDirectory(root);
  return openCodeServer({
    command: program,
    args: ['-remote=', 'serve'],
    cwd: directory,
    env: {
      PATH: programs,
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      XDG_CACHE_HOME: directory,
      GOCACHE: join(directory, 'cache'),
      GOMODCACHE: moduleCache() ?? join(directory, 'modules'),
      GOPATH: directory,
      GOENV: 'off',
      GOFLAGS: `-mod=${isVendored ? 'vendor' : 'readonly'} -buildvcs=false`,
      GOTOOLCHAIN: 'local',
      GOPROXY: 'off',
      GOSUMDB: 'off',
      GOVCS: '*:off',
      GOPACKAGESDRIVER: 'off',
      GOTELEMETRY: 'off',
      CGO_ENABLED: '0',
      GOMEMLIMIT: `${Math.round(megabytes * 0.8)}MiB`,
    },
    settings: { diagnosticsTrigger: 'Save', vulncheck: 'Off', staticcheck: false },
    megabytes,
    ended,
    uri,
    repository: uri,
    languageOf: () => 'go',
    release: () => state.remove(directory),
  });
}

/** Where the person's Go keeps modules that were fetched before. */
function moduleCache(): string | undefined {
  const { GOMODCACHE, GOPATH, HOME } = process.env;
  const places = [GOMODCACHE, GOPATH && join(GOPATH, 'pkg/mod'), HOME && join(HOME, 'go/pkg/mod')];
  return places.find((place): place is string => !!place && person.exists(place));
}
