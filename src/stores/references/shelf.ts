import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/files.ts';
import { folderOf } from './names.ts';
import type { Topic } from './topic.ts';
import { readTopicFile, writeTopicFile } from './topic-file.ts';

export interface ShelvedTopic {
  folder: string;
  topic: Topic;
  /** Changes whenever topic.md does. */
  stamp: string;
}

/**
 * The directories of all topics. A topic is prepared in `.staging` and appears by one rename; a kill at any moment
 * leaves either no topic or a whole one.
 */
export interface Shelf {
  readonly root: string;
  exists(): boolean;
  /** Whole topics; a folder that cannot be read is a problem, not the end. */
  list(): { items: ShelvedTopic[]; problems: Array<{ folder: string; message: string }> };
  path(folder: string): string;
  /** A fresh directory for a topic to be prepared in, and one for everything that is thrown away. */
  stage(): { topic: string; scratch: string; discard(): void };
  /** Puts a prepared directory on the shelf under the first free id; answers the topic as written. */
  publish(staged: string, topic: Topic): ShelvedTopic;
  /** Puts a prepared directory in the place of an older one. */
  replace(staged: string, topic: Topic): ShelvedTopic;
  write(topic: Topic): ShelvedTopic;
  remove(folder: string): void;
}

export function openShelf(root: string): Shelf {
  const staging = join(root, '.staging');
  const path = (folder: string) => join(root, folder);
  const read = (folder: string): ShelvedTopic => {
    const file = join(root, folder, 'topic.md');
    const { mtimeMs, size } = statSync(file);
    return { folder, topic: readTopicFile(readFileSync(file, 'utf8'), file), stamp: `${mtimeMs}:${size}` };
  };
  const seal = (directory: string, topic: Topic) =>
    writeFileAtomic(join(directory, 'topic.md'), writeTopicFile(topic));

  return {
    root,
    path,
    exists: () => existsSync(root),
    list: () => {
      finishSwaps(root);
      const items: ShelvedTopic[] = [];
      const problems: Array<{ folder: string; message: string }> = [];
      const folders = existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [];
      for (const entry of folders.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
        try {
          items.push(read(entry.name));
        } catch (error) {
          problems.push({ folder: entry.name, message: (error as Error).message });
        }
      }
      return { items, problems };
    },
    stage: () => {
      finishSwaps(root);
      sweep(staging);
      const directory = join(staging, `${process.pid}-${randomBytes(6).toString('hex')}`);
      const topic = join(directory, 'topic');
      const scratch = join(directory, 'scratch');
      for (const made of [topic, scratch]) mkdirSync(made, { recursive: true });
      return {
        topic,
        scratch,
        discard: () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }),
      };
    },
    publish: (staged, topic) => {
      for (let count = 1; count < 1000; count++) {
        const named = { ...topic, id: count === 1 ? topic.id : `${topic.id}-${count}` };
        const folder = folderOf(named.id);
        if (existsSync(path(folder))) continue;
        seal(staged, named);
        try {
          renameSync(staged, path(folder));
        } catch (error) {
          const taken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');
          if (taken) continue;
          throw error;
        }
        return read(folder);
      }
      throw new SylkError('CONFLICT', `There are too many topics called ${topic.id}.`);
    },
    replace: (staged, topic) => {
      const folder = folderOf(topic.id);
      seal(staged, topic);
      const old = join(staging, `old-${randomBytes(6).toString('hex')}`);
      // Two renames are not one: the note lets whoever comes next finish what a kill cut short.
      const note = join(staging, `${randomBytes(6).toString('hex')}.swap`);
      writeFileAtomic(note, JSON.stringify({ folder, staged, old }));
      renameSync(path(folder), old);
      renameSync(staged, path(folder));
      rmSync(note, { force: true });
      rmSync(old, { recursive: true, force: true, maxRetries: 3 });
      return read(folder);
    },
    write: (topic) => {
      seal(path(folderOf(topic.id)), topic);
      return read(folderOf(topic.id));
    },
    remove: (folder) => {
      mkdirSync(staging, { recursive: true });
      const gone = join(staging, `old-${randomBytes(6).toString('hex')}`);
      renameSync(path(folder), gone);
      rmSync(gone, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Completes a replacement that was interrupted between its two renames. */
function finishSwaps(root: string): void {
  const staging = join(root, '.staging');
  const notes = existsSync(staging) ? readdirSync(staging).filter((name) => name.endsWith('.swap')) : [];
  for (const name of notes) {
    const note = join(staging, name);
    try {
      const { folder, staged, old } = JSON.parse(readFileSync(note, 'utf8')) as Record<string, string>;
      const target = join(root, folder!);
      if (!existsSync(target)) renameSync(existsSync(join(staged!, 'topic.md')) ? staged! : old!, target);
      rmSync(note, { force: true });
    } catch {
      // Another process was faster, or the note is not whole: then the old topic is still in its place.
    }
  }
}

/** Throws away what processes that are gone have left behind. */
function sweep(staging: string): void {
  mkdirSync(staging, { recursive: true });
  writeFileSync(join(staging, '.gitignore'), '*\n');
  const waiting = readdirSync(staging).some((name) => name.endsWith('.swap'));
  for (const name of readdirSync(staging)) {
    const pid = /^(\d+)-/.exec(name)?.[1];
    const leftover = pid ? !isAlive(Number(pid)) : name.startsWith('old-') && !waiting;
    if (leftover) rmSync(join(staging, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
