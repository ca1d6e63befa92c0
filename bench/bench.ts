import { runNamed } from './run-named.ts';

await runNamed('bench', process.argv.slice(2));
