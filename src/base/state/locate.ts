import { basename, dirname, join } from 'node:path';
import { SylkError } from '../errors.ts';
import { person, state, system } from '../files/index.ts';
import { once } from '../once.ts';
import { digest, findHomePlace, homeRegistration } from './home-place.ts';
import { makeAtHome, makeDerived, makeInside, makePlain, whyRefused } from './make.ts';
import { createRegister, formerPaths, readLibraryId, readStateId, writeLibraryId } from './register.ts';

/** Where state is kept. Finding it makes nothing. */
export interface State {
  /** Derived databases, caches, run files, logs. */
  readonly directory: string;
  /** The file of what people and agents wrote. */
  readonly library: string;
  /** Working trees of sessions. */
  readonly worktrees: string;
  /** Why the library can't be written by this process. A directory that can't be made is noticed by `prepare`. */
  readonly readOnly: string | undefined;
  /** False where even what can be derived has no place that lasts. */
  readonly isKept: boolean;
  /** State in the repository that this person did not make here. It is never opened. */
  readonly foreign: string | undefined;
  /** State in the state home of another repository that was at this path. It is never opened. */
  readonly former: string | undefined;
  /** Where the owner of this state was before it was moved here, latest first. */
  readonly movedFrom: string[];
  /** Makes the directory, once, and answers where it is. */
  prepare(): string;
  /** Throws where the directory is not one that this person made any more: asked again when the library was replaced. */
  requireOurs(): void;
  /** Makes the directory again with the id that it had, if it was removed: later processes open it then. */
  restore(): void;
  /** The id of the library that belongs here: registered outside of it, where the directory is registered. */
  libraryId(): string | undefined;
  registerLibrary(id: string): void;
  /** Takes the directory off the register: for when it was removed. */
  forget(): void;
}

export interface StateRequest {
  /** The path that the state belongs to. */
  owner: string;
  /** The state directory in the git directory; undefined where that does not name this working tree. */
  inside: string | undefined;
  /** Whether new state may be made there. */
  mayHoldState: boolean;
  /** The person's state home. */
  home: string;
  /** The person's cache, for what can be derived where state can't be written. */
  cache: string;
  /** SYLK_DIR. */
  override: string | undefined;
}

/**
 * One repository has one place: SYLK_DIR, the registered directory in the git directory, the place in the state home once
 * there is one, else a new one. What the repository brought along is registered by nobody and left alone, and so is
 * what another repository kept that was at this path.
 */
export function locateState(request: StateRequest): State {
  const { owner, inside, home, override } = request;
  const atHome = once(() => findHomePlace(home, owner));
  const open = (directory: string, place: Place): State =>
    stateAt(directory, {
      ...place,
      worktrees: join(home, 'worktrees', digest(owner)),
      derived: join(request.cache, 'indexes', place.name ?? digest(owner)),
    });
  if (override) return open(override, { prepare: () => makePlain(override) });
  const there = inside !== undefined && state.entry(inside) !== undefined;
  const inHome = () => {
    const { directory, former, movedFrom } = atHome();
    return open(directory, {
      name: basename(directory),
      foreign: there ? inside : undefined,
      former,
      movedFrom,
      registration: () => homeRegistration(directory),
      prepare: () => makeAtHome(directory, owner),
    });
  };
  if (inside === undefined) return inHome();
  const register = createRegister(home);
  const requireOurs = () => {
    if (registered(inside, request)) return;
    throw new SylkError('DENIED', `${inside} was replaced by a directory that you did not create here.`, {
      hint: 'It is not opened. Run the command again; `sylk library adopt` takes a library over after a review.',
    });
  };
  let id: string | undefined;
  const registration = () => (id === undefined ? undefined : register.file(id));
  const restore = () => {
    // State without its id was removed, and what is there now was left by a process that still runs.
    if (state.entry(inside) !== undefined && readStateId(inside) !== undefined) return requireOurs();
    if (!person.exists(dirname(inside))) throw removed(inside, 'and its repository too');
    const place = findHomePlace(home, owner);
    if (id === undefined || place.exists) throw removed(inside, `and ${place.directory} is used instead`);
    state.write(join(inside, 'id'), `${id}\n`);
    register.write(id, owner);
  };
  if (there) {
    const found = registered(inside, request);
    if (!found) return inHome();
    id = found.id;
    return open(inside, {
      movedFrom: found.movedFrom,
      registration,
      prepare: () => {
        if (found.moved) register.write(found.id, owner);
        return inside;
      },
      requireOurs,
      restore,
      forget: () => register.remove(found.id),
    });
  }
  const mayHold = request.mayHoldState && isOwn(dirname(inside)) && !system.writeRefusal(dirname(inside));
  if (!mayHold || atHome().exists) return inHome();
  const prepare = (): string => {
    makeInside(inside, owner, register);
    // Another process may have been first; what it made is registered like ours.
    id = registered(inside, request)?.id;
    if (id !== undefined) return inside;
    throw new Error('another directory was put there');
  };
  return open(inside, {
    former: atHome().former,
    registration,
    prepare,
    requireOurs,
    restore,
    forget: () => {
      const id = readStateId(inside);
      if (id) register.remove(id);
    },
  });
}

interface Place {
  /** Of the directory for what can be derived; by the path where there is none. */
  name?: string;
  foreign?: string | undefined;
  former?: string | undefined;
  movedFrom?: string[];
  /** The file that says which library belongs here. */
  registration?(): string | undefined;
  prepare(): string;
  requireOurs?(): void;
  restore?(): void;
  forget?(): void;
}

const removed = (inside: string, what: string): SylkError =>
  new SylkError('UNAVAILABLE', `${inside} was removed, ${what}.`, {
    hint: 'Nothing was changed. Start Sylk again to use the new place.',
  });

/** Where the place can't be made or written, the library is only read, and what can be derived goes elsewhere. */
function stateAt(directory: string, place: Place & { worktrees: string; derived: string }): State {
  for (const root of [directory, place.derived]) state.addRoot(root);
  let refusal = person.exists(directory) ? system.writeRefusal(directory) : undefined;
  let { derived } = place;
  let isKept = true;
  let libraryId: string | undefined;
  return {
    get directory() {
      return refusal === undefined ? directory : derived;
    },
    get readOnly() {
      return refusal === undefined ? undefined : whyRefused(refusal);
    },
    get isKept() {
      return isKept;
    },
    library: join(directory, 'library.db'),
    worktrees: place.worktrees,
    foreign: place.foreign,
    former: place.former,
    movedFrom: place.movedFrom ?? [],
    prepare: () => {
      try {
        if (refusal === undefined) return place.prepare();
      } catch (error) {
        refusal = error;
      }
      const made = makeDerived(derived);
      isKept = made === derived;
      derived = made;
      return made;
    },
    requireOurs: () => place.requireOurs?.(),
    restore: () => {
      if (place.restore) place.restore();
      else place.prepare();
    },
    libraryId: () => {
      const file = place.registration?.();
      libraryId ??= file === undefined ? undefined : readLibraryId(file);
      return libraryId;
    },
    registerLibrary: (id) => {
      libraryId = id;
      const file = place.registration?.();
      try {
        if (file !== undefined) writeLibraryId(file, id);
      } catch {
        // A state home that can't be written: this process knows it, and a later one registers it.
      }
    },
    forget: () => place.forget?.(),
  };
}

/** The id of a state directory that this person made for this repository; it may have moved, but not been copied. */
function registered(
  inside: string,
  { owner, home }: StateRequest,
): { id: string; moved: boolean; movedFrom: string[] } | undefined {
  if (state.entry(inside)?.kind !== 'directory' || !isOwn(inside)) return undefined;
  const id = readStateId(inside);
  const entry = id === undefined ? undefined : createRegister(home).find(id);
  if (id === undefined || !entry) return undefined;
  const movedFrom = formerPaths(owner, entry);
  if (entry.path === owner || isSameDirectory(entry.path, owner)) return { id, moved: false, movedFrom };
  return readStateId(join(entry.path, 'sylk')) === id ? undefined : { id, moved: true, movedFrom };
}

function isSameDirectory(left: string, right: string): boolean {
  const identity = person.entry(left)?.identity;
  return identity !== undefined && identity === person.entry(right)?.identity;
}

function isOwn(path: string): boolean {
  const uid = process.getuid?.();
  return uid === undefined || state.entry(path)?.uid === uid;
}
