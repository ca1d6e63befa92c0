import { tree } from '../../base/files/index.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';
import { type ParseJob, parseAll } from './parse-pool.ts';
import { readProblem } from './read-problem.ts';
import type { IngestPlace, UpdateOptions } from './update.ts';

const inlineJobs = 8;
const inlineBytes = 400_000;

/** A few files are parsed in this thread: starting a worker would take longer. */
export async function parseJobs(
  place: IngestPlace,
  jobs: ParseJob[],
  options: UpdateOptions,
  deliver: (files: ParsedFile[]) => void,
): Promise<void> {
  const bytes = jobs.reduce((sum, job) => sum + job.size, 0);
  if (jobs.length > inlineJobs || bytes > inlineBytes) {
    await parseAll(jobs, deliver, { ...place.pool, signal: options.signal });
    return;
  }
  for (const job of jobs) {
    options.signal?.throwIfAborted();
    deliver([await parseHere(place, job)]);
  }
}

async function parseHere(place: IngestPlace, job: ParseJob): Promise<ParsedFile> {
  try {
    const content = tree.read(job.root, job.path);
    return await parseFile(job.path, content, job.modified, place.pool.timeoutMs ?? 10_000);
  } catch (error) {
    return readProblem(job, error);
  }
}
