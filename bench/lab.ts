import { runNamed } from './run-named.ts';

await runNamed('lab', process.argv.slice(2));
