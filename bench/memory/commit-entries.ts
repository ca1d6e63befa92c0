import { createHash } from 'node:crypto';
import { createGit, findRepository } from '../../src/base/git/index.ts';

interface Source {
  name: string;
  commit: string;
  entries: number;
}

/**
 * Public histories whose commit messages explain themselves, each up to one commit, and how many entries it gives. A
 * range leaves out older messages that say little more than whom to thank. Nothing may be chosen on the `held` set.
 */
export const sources = {
  first: [
    { name: 'BurntSushi/ripgrep', commit: '3fce3b5b', entries: 500 },
    { name: 'clap-rs/clap', commit: '6982fb1c9', entries: 500 },
    { name: 'junegunn/fzf', commit: '956562da', entries: 300 },
    { name: 'rails/rails', commit: '2a2db1e8d6d', entries: 700 },
  ],
  held: [
    { name: 'django/django', commit: 'ddc5d59c6a..03988c5a5b', entries: 700 },
    { name: 'laravel/framework', commit: 'bd71b45fbb', entries: 450 },
    { name: 'rubocop/rubocop', commit: '3a42c62217', entries: 350 },
    { name: 'rack/rack', commit: '8bf4eb0784', entries: 250 },
    { name: 'phoenixframework/phoenix', commit: '167c46950c', entries: 250 },
  ],
} satisfies Record<string, Source[]>;

export interface CommitEntry {
  /** The first ten digits of the commit. */
  id: string;
  subject: string;
  body: string;
  at: number;
}

const trailer =
  /^(?:[\w-]+-by|closes|fixes|fixed|resolves|refs?|references|pr|see|related|thanks|cc|x-ref|ref)\b[^\n]*(?:#\d|https?:|@|<)[^\n]*$/gim;

/**
 * Explanations of commits as things that an agent might have remembered: the body without the subject and without
 * trailers. The same commits in the same order for everybody who has the repositories.
 */
export async function commitEntries(gitDirectory: string, source: Source): Promise<CommitEntry[]> {
  const repository = findRepository(gitDirectory, {});
  const git = createGit(repository.root);
  const { stdout } = await git.run(
    ['log', '--no-merges', '--format=%H%x00%ct%x00%s%x00%b%x01', source.commit],
    {
      maxOutputBytes: 200_000_000,
      timeoutMs: 120_000,
    },
  );
  const entries = stdout
    .toString()
    .split('\u0001')
    .map((record) => record.trimStart().split('\0'))
    .filter((fields) => fields.length === 4)
    .map(([sha, at, subject, body]) => ({
      id: sha!.slice(0, 10),
      at: Number(at) * 1000,
      subject: subject!.trim(),
      body: body!
        .replace(trailer, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    }))
    .filter(
      ({ body }) =>
        body.length >= 150 &&
        body.length <= 900 &&
        !/^(?:[*\-\d]|Bumps |This reverts |Conflicts:)/.test(body),
    );
  const order = ({ id }: CommitEntry) => createHash('sha256').update(`20261115 ${id}`).digest('hex');
  return entries.sort((one, two) => (order(one) < order(two) ? -1 : 1)).slice(0, source.entries);
}
