import { join } from 'node:path';
import { plainReason } from '../base/errors.ts';
import { state, system } from '../base/files/index.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import { damageNotice, isSound, openOrQuarantine, quarantine, type Sqlite } from '../base/sqlite/index.ts';
import type { UserDirectories } from '../base/user-directory.ts';
import { requireSameRepository } from './team.ts';

export interface DatabaseAccessors {
  /** Derived from git and files; may be deleted at any time. */
  index(): Sqlite;
  /** What people and agents wrote about this repository. */
  library(): Promise<Library>;
  /** What belongs to a team rather than to one of its repositories; the same library where it has one. */
  teamLibrary(): Promise<Library>;
  /** What belongs to the person rather than to a repository. */
  userLibrary(): Promise<Library>;
  /** Makes the state directory, once, and answers where it is. */
  prepareDirectory(): string;
}

export const userLibraryPath = (user: UserDirectories): string => join(user.data, 'sylk.db');

export function databaseAccessors({
  repository,
  git,
  user,
  config,
  notice,
  tellDamage,
  onClose,
}: {
  repository: Repository;
  git: Git;
  user: UserDirectories;
  config: { team: { database: string; repository: string } };
  notice: (line: string) => void;
  /** For what makes the command fail, although its own work is done. */
  tellDamage: (line: string) => void;
  onClose(work: () => void | Promise<void>): void;
}): DatabaseAccessors & { replaceDamagedIndex(): boolean; closeIndex(): void } {
  const directory = once(() => repository.state.prepare());
  const indexPath = () => join(directory(), 'index.db');
  let openIndex: Sqlite | undefined;
  const closeIndex = () => {
    openIndex?.close();
    openIndex = undefined;
  };
  const opening = async (open: (libraries: typeof import('../base/library/index.ts')) => Library) => {
    const library = open(await import('../base/library/index.ts'));
    if (library.notice) (library.damaged ? tellDamage : notice)(library.notice);
    onClose(() => library.close());
    return library;
  };
  const { database, repository: name } = config.team;
  const openTeam = (of: string) =>
    opening(({ openLibrary, repositoryPlaceOf }) =>
      openLibrary({ url: of === '' ? database : repositoryPlaceOf(database, of), tell: notice }),
    );
  const teamLibrary = once(() => openTeam(''));
  return {
    prepareDirectory: directory,
    teamLibrary,
    index: () => {
      if (!openIndex) {
        const opened = openOrQuarantine(indexPath(), { durability: 'normal', cacheMegabytes: 32 });
        const damage = damageNotice('index', opened);
        if (damage) (opened.wal?.repaired || opened.isScratch ? notice : tellDamage)(damage);
        openIndex = opened.sqlite;
      }
      return openIndex;
    },
    closeIndex,
    replaceDamagedIndex: () => {
      if (openIndex && isSound(openIndex)) return false;
      closeIndex();
      tellDamage(
        `The index was damaged: set aside as ${quarantine(indexPath())}, rebuilt from git and files.`,
      );
      return true;
    },
    library: once(async () => {
      if (database !== '') {
        const opened = await (name === '' ? teamLibrary() : openTeam(name));
        await requireSameRepository(opened, git, join(directory(), 'team-repository'));
        return opened;
      }
      directory();
      const { library: path, readOnly } = repository.state;
      return opening(({ openLibrary, openLibraryCopy }) =>
        readOnly === undefined
          ? whileThereIsRoom(
              () => openLibrary({ url: path, place: repository.state }),
              (why) => openLibraryCopy(path, why, 'SYLK_DIR'),
            )
          : openLibraryCopy(path, readOnly, 'SYLK_DIR'),
      );
    }),
    userLibrary: once(() =>
      opening(({ openLibraryCopy, openLibraryOnWrite }) => {
        const path = userLibraryPath(user);
        const refusal = [user.data, path].map(system.writeRefusal).find(Boolean);
        return refusal && state.exists(path)
          ? openLibraryCopy(path, plainReason(refusal), 'XDG_DATA_HOME')
          : whileThereIsRoom(
              () => openLibraryOnWrite(path, 'XDG_DATA_HOME'),
              (why) => openLibraryCopy(path, why, 'XDG_DATA_HOME'),
            );
      }),
    ),
  };
}

/** SQLite needs room beside a database to read it: on a full disk a copy is read, and whoever writes is told why not. */
function whileThereIsRoom(open: () => Library, copy: (why: string) => Library): Library {
  try {
    return open();
  } catch (error) {
    const why = plainReason(error);
    if (why !== 'the disk is full') throw error;
    return copy(why);
  }
}
