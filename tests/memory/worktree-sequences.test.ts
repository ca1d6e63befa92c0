import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conversations } from '../support/memory.ts';

/** Numbers that are the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Place {
  id: string;
  worktree: string;
}

async function place() {
  const { repository, person } = conversations();
  repository.commit('first', { 'a.txt': 'one\n', '.gitignore': 'ignored*\n.sylk/\n' });
  repository.git('config', 'user.name', 'Ada');
  repository.git('config', 'user.email', 'ada@example.org');
  const somebody = person();
  const { id } = await somebody.call<{ id: string }>('create_session', { name: 'side work' });
  const session = await somebody.call<Place>('open_session_worktree', { id });
  return { repository, somebody, session };
}
type World = Awaited<ReturnType<typeof place>>;

/** What people and programs do in a working tree, and the person with the session. */
const steps: Record<string, (world: World, mark: string) => unknown> = {
  dirty: ({ session }, mark) => writeFileSync(join(session.worktree, 'a.txt'), `dirty ${mark}\n`),
  untracked: ({ session }, mark) => writeFileSync(join(session.worktree, `new-${mark}.txt`), mark),
  ignored: ({ session }, mark) => writeFileSync(join(session.worktree, `ignored-${mark}`), mark),
  stashed: (world, mark) => {
    writeFileSync(join(world.session.worktree, 'a.txt'), `stashed ${mark}\n`);
    inTree(world, 'stash', 'push', '-q', '-m', mark);
  },
  unpushed: (world, mark) => {
    writeFileSync(join(world.session.worktree, `done-${mark}.txt`), mark);
    inTree(world, 'add', '-A');
    inTree(world, 'commit', '-q', '-m', mark);
  },
  detached: (world) => inTree(world, 'checkout', '-q', '--detach'),
  attached: (world) => inTree(world, 'checkout', '-q', `sylk/${world.session.id}`),
  locked: ({ repository, session }) => repository.git('worktree', 'lock', session.worktree),
  unlocked: ({ repository, session }) => repository.git('worktree', 'unlock', session.worktree),
  missing: ({ session }) => rmSync(session.worktree, { recursive: true }),
  cleaned: (world) => {
    inTree(world, 'checkout', '-q', '--', '.');
    inTree(world, 'clean', '-qfdx');
  },
  merge: ({ somebody, session }) => somebody.call('merge_session', { id: session.id }),
  remove: ({ somebody, session }) => somebody.call('remove_session_worktree', { id: session.id }),
  open: ({ somebody, session }) => somebody.call('open_session_worktree', { id: session.id }),
};
const ofSylk = new Set(['merge', 'remove', 'open']);
const names = [...Object.keys(steps), 'merge', 'remove', 'remove', 'unpushed', 'attached', 'cleaned'];

const inTree = ({ repository, session }: World, ...args: string[]): string =>
  repository.git('-C', session.worktree, ...args);

/** Every commit that can be reached, and every file that lies in the working tree, by the name git gives its content. */
function holdings({ repository, session }: World) {
  const trees = repository
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => /^HEAD [0-9a-f]{40}/.test(line))
    .map((line) => line.slice(5));
  const stashes = repository.git('stash', 'list', '--format=%H').split('\n').filter(Boolean);
  const reached = repository.git('rev-list', '--objects', '--all', ...trees, ...stashes).split('\n');
  const files = new Map<string, string>();
  if (existsSync(session.worktree))
    for (const name of readdirSync(session.worktree, { recursive: true, encoding: 'utf8' })) {
      const path = join(session.worktree, name);
      if (name !== '.git' && statSync(path).isFile()) files.set(path, readFileSync(path, 'utf8'));
    }
  return { objects: new Set(reached.map((line) => line.split(' ')[0]!)), files };
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'whatever happened to a working tree, seed %i: what could be reached or lay on disk is there afterwards, or nothing was done',
  async (seed) => {
    const world = await place();
    const random = randomOf(seed);
    const story: string[] = [];
    for (let at = 0; at < 14; at++) {
      const name = names[random(names.length)]!;
      story.push(name);
      const before = ofSylk.has(name) ? holdings(world) : undefined;
      let refused = false;
      try {
        await steps[name]!(world, `${seed}-${at}`);
      } catch {
        refused = true;
      }
      if (!before) continue;
      const after = holdings(world);
      const lost = [...before.objects].filter((object) => !after.objects.has(object));
      const gone = [...before.files].filter(([path, content]) => {
        if (existsSync(path) && readFileSync(path, 'utf8') === content) return false;
        const written = blobOf(world, content);
        return refused || !after.objects.has(written);
      });
      expect({ story, lost, gone: gone.map(([path]) => path) }).toEqual({ story, lost: [], gone: [] });
    }
    expect(story.some((name) => ofSylk.has(name))).toBe(true);
  },
);

/** The name that git gives a content. */
function blobOf({ repository }: World, content: string): string {
  const file = join(repository.path, '.git', 'compare');
  writeFileSync(file, content);
  return repository.git('hash-object', '--no-filters', file);
}
