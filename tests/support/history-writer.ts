// A process that indexes a history and is killed at its failpoint. Arguments: repository, index, failpoint, `rebuild`.
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { updateHistory } from '../../src/stores/history/ingest.ts';
import { defaultSettings } from '../../src/stores/history/settings.ts';
import { setFailpoint } from './failpoint.ts';

const [directory, path, point, rebuild] = process.argv.slice(2) as [string, string, string, string?];
const repository = findRepository(directory, {});
const git = createGit(repository.root);
const failpoint = setFailpoint(Number(point), { files: true });
await updateHistory({ path, repository, git, settings: defaultSettings }, { rebuild: rebuild === 'rebuild' });
process.stdout.write(`${failpoint.count()}\n`);
