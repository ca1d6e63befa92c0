import { createGit, findRepository } from '../../src/base/git/index.ts';
import { updateHistory } from '../../src/stores/history/ingest.ts';
import { defaultSettings } from '../../src/stores/history/settings.ts';

/** What a hook runs, and nothing else: `index-once.ts REPOSITORY INDEX`. Prints what it cost. */
const [directory, path] = process.argv.slice(2) as [string, string];
const repository = findRepository(directory, {});
const git = createGit(repository.root);
const result = await updateHistory({ path, repository, git, settings: defaultSettings });
const { maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ ...result, megabytes: Math.round(maxRSS / 1000) }));
