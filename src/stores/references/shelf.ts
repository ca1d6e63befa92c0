import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import { isRunning } from '../../base/process/index.ts';
import { redactValue } from '../../base/redact.ts';
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
 * The directories of all topics. A topic is prepared in `.staging` and appears by one rename; a kill at any time
 * leaves either no topic or a complete one.
 */
export interface Shelf {
  readonly root: string;
  exists(): boolean;
  /** Complete topics; an unreadable folder is a problem, not the end. */
  list(): { items: ShelvedTopic[]; problems: Array<{ folder: string; message: string }> };
  path(folder: string): string;
  /** A new directory to prepare a topic in, and one for discarded files. */
  stage(): { topic: string; scratch: string; discard(): void };
  /** Puts a prepared directory on the shelf under the first free id; returns the topic as written. */
  publish(staged: string, topic: Topic): ShelvedTopic;
  /** Replaces an older directory by a prepared one. */
  replace(staged: string, topic: Topic): ShelvedTopic;
  write(topic: Topic): ShelvedTopic;
  remove(folder: string): void;
}

export function openShelf(root: string): Shelf {
  const staging = join(root, '.staging');
  const path = (folder: string) => join(root, folder);
  const read = (folder: string): ShelvedTopic => {
    const file = join(root, folder, 'topic.md');
    const topic = readTopicFile(state.read(file).toString('utf8'), file);
    return { folder, topic, stamp: state.entry(file)?.mark ?? '' };
  };
  /** The URLs of sources stay unchanged: a refresh uses them. */
  const seal = (directory: string, { sources, ...text }: Topic) =>
    state.write(join(directory, 'topic.md'), writeTopicFile({ ...redactValue(text), sources }));

  return {
    root,
    path,
    exists: () => state.exists(root),
    list: () => {
      finishSwaps(root);
      const items: ShelvedTopic[] = [];
      const problems: Array<{ folder: string; message: string }> = [];
      const folders = state.list(root);
      for (const entry of folders) {
        if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
        try {
          items.push(read(entry.name));
        } catch (error) {
          problems.push({ folder: entry.name, message: messageOf(error) });
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
      for (const made of [topic, scratch]) state.makeDirectory(made);
      return {
        topic,
        scratch,
        discard: () => state.remove(directory),
      };
    },
    publish: (staged, topic) => {
      for (let count = 1; count < 1000; count++) {
        const named = { ...topic, id: count === 1 ? topic.id : `${topic.id}-${count}` };
        const folder = folderOf(named.id);
        if (state.exists(path(folder))) continue;
        seal(staged, named);
        try {
          state.move(staged, path(folder));
        } catch (error) {
          const taken = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '');
          if (taken) continue;
          throw error;
        }
        return read(folder);
      }
      throw new SylkError('CONFLICT', `Too many topics are called ${topic.id}.`);
    },
    replace: (staged, topic) => {
      const folder = folderOf(topic.id);
      seal(staged, topic);
      const old = join(staging, `old-${randomBytes(6).toString('hex')}`);
      // Two renames are not atomic: the note lets the next process finish an interrupted replacement.
      const note = join(staging, `${randomBytes(6).toString('hex')}.swap`);
      state.write(note, JSON.stringify({ folder, staged, old }));
      state.move(path(folder), old);
      state.move(staged, path(folder));
      state.remove(note);
      state.remove(old);
      return read(folder);
    },
    write: (topic) => {
      seal(path(folderOf(topic.id)), topic);
      return read(folderOf(topic.id));
    },
    remove: (folder) => {
      state.makeDirectory(staging);
      const gone = join(staging, `old-${randomBytes(6).toString('hex')}`);
      state.move(path(folder), gone);
      state.remove(gone);
    },
  };
}

const swapNote = z.object({ folder: z.string(), staged: z.string(), old: z.string() });

/** Completes a replacement that was interrupted between its two renames. */
function finishSwaps(root: string): void {
  const staging = join(root, '.staging');
  const notes = state.list(staging).filter(({ name }) => name.endsWith('.swap'));
  for (const { name } of notes) {
    const note = join(staging, name);
    try {
      const { folder, staged, old } = swapNote.parse(JSON.parse(state.readText(note) ?? ''));
      const target = join(root, folder);
      if (!state.exists(target)) state.move(state.exists(join(staged, 'topic.md')) ? staged : old, target);
      state.remove(note);
    } catch {
      // Another process was faster, or the note is not whole: then the old topic is still in its place.
    }
  }
}

/** Deletes leftovers of dead processes. */
function sweep(staging: string): void {
  state.makeDirectory(staging);
  state.write(join(staging, '.gitignore'), '*\n');
  const waiting = state.list(staging).some(({ name }) => name.endsWith('.swap'));
  for (const { name } of state.list(staging)) {
    const pid = /^(\d+)-/.exec(name)?.[1];
    const leftover = pid ? !isRunning(Number(pid)) : name.startsWith('old-') && !waiting;
    if (leftover) state.remove(join(staging, name));
  }
}
