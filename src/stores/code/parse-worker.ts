import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type ParsedFile, parseFile } from './parse-file.ts';
import type { ParseJob, ParseReply } from './parse-pool.ts';
import { readProblem } from './read-problem.ts';

// A parse worker: reads, checks and parses the files of a batch and answers with plain data.
parentPort!.on(
  'message',
  async ({ batch, jobs, timeoutMs }: { batch: number; jobs: ParseJob[]; timeoutMs: number }) => {
    const files: ParsedFile[] = [];
    for (const job of jobs) {
      try {
        const bytes = job.bytes ? Buffer.from(job.bytes) : readFileSync(job.absolute);
        files.push(await parseFile(job.path, bytes, job.modified, timeoutMs));
      } catch (error) {
        files.push(readProblem(job, error));
      }
    }
    const reply: ParseReply = { batch, files };
    parentPort!.postMessage(reply);
  },
);
parentPort!.postMessage('ready');
