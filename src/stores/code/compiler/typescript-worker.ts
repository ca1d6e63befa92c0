import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { messageOf } from '../../../base/errors.ts';
import type { CompileReply, CompileRequest } from './protocol.ts';
import { createTypeScriptProject } from './typescript-project.ts';

// A process of its own: the compiler takes hundreds of megabytes, and its end gives them back. Every line of input is a
// request, every line of output a file. Nothing of the repository is executed, and no plugin is loaded.
setPriority(10);

const write = (reply: CompileReply): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(reply)}\n`, () => resolve());
  });

const project = createTypeScriptProject();
for await (const line of createInterface({ input: process.stdin })) {
  const request: CompileRequest = JSON.parse(line);
  project.load(request);
  for (const path of request.wanted) {
    try {
      const file = project.linksOf(path);
      if (file) await write(file);
    } catch (error) {
      // One file on which the checker fails keeps the links it has.
      process.stderr.write(`${path}: ${messageOf(error)}\n`);
    }
  }
  await write({ done: true });
}
