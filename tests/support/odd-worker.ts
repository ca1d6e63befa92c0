import { parentPort } from 'node:worker_threads';

// A parse worker that dies of one file, hangs on another, and answers for the rest.
parentPort!.on(
  'message',
  ({ batch, jobs }: { batch: number; jobs: Array<{ path: string; size: number; modified: number }> }) => {
    for (const job of jobs) {
      if (job.path.includes('crash')) process.exit(3);
      if (job.path.includes('hang')) for (;;);
    }
    const files = jobs.map((job) => ({
      path: job.path,
      size: job.size,
      modified: job.modified,
      hash: job.path,
      interface: '',
      language: 'typescript',
      package: '',
      lines: 1,
      broken: false,
      symbols: [],
      words: [''],
      facts: '',
      uses: '[]',
    }));
    parentPort!.postMessage({ batch, files });
  },
);
parentPort!.postMessage('ready');
