import { parentPort } from 'node:worker_threads';
import { tree } from '../../base/files/index.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import type { ParseJob, ParseReply } from './parse-pool.ts';
import { readProblem } from './read-problem.ts';

// A parse worker: reads, checks and parses the files of a batch and returns plain data.
parentPort?.on(
  'message',
  async ({ batch, jobs, timeoutMs }: { batch: number; jobs: ParseJob[]; timeoutMs: number }) => {
    const files: ParsedFile[] = [];
    for (const job of jobs) {
      try {
        const bytes = job.bytes ? Buffer.from(job.bytes) : tree.read(job.root, job.path);
        files.push(await parseFile(job.path, bytes, job.modified, timeoutMs));
      } catch (error) {
        files.push(readProblem(job, error));
      }
    }
    const reply: ParseReply = { batch, files };
    parentPort?.postMessage(reply);
  },
);
parentPort?.postMessage('ready');
