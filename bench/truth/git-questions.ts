import { git } from './programs.ts';
import type { Question } from './question.ts';

interface Commit {
  hash: string;
  subject: string;
  body: string;
}

const separator = '\u0001';

const commits = (root: string, ...args: string[]): Commit[] =>
  git(root, 'log', `--format=%H%x00%s%x00%b${separator}`, ...args)
    .split(separator)
    .map((one) => one.trim().split('\0'))
    .filter(([hash]) => hash)
    .map(([hash = '', subject = '', body = '']) => ({ hash, subject, body }));

const namesCommit =
  ({ hash }: Commit) =>
  (cited: { ref: string; place: string; text: string }) =>
    cited.ref === `commit:${hash}` || `${cited.place} ${cited.text}`.includes(hash.slice(0, 7));

/** Folders with some history; the newest commits of each are told by `git log`. */
export function changedLately(root: string, count: number): Question[] {
  const folders = new Map<string, number>();
  for (const path of git(root, 'ls-files').split('\n')) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(3, parts.length); depth++) {
      const folder = parts.slice(0, depth).join('/');
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  const busiest = [...folders].sort((a, b) => b[1] - a[1]).slice(0, count * 2);
  const questions = busiest.flatMap(([folder], at): Question[] => {
    const newest = commits(root, '--no-merges', '-3', '--', folder);
    const [latest] = newest;
    if (!latest) return [];
    const wordings = [
      `what changed lately in ${folder}`,
      `recent changes in ${folder}`,
      `what is new in ${folder}/`,
    ];
    return [
      {
        kind: 'changed lately',
        text: wordings[at % wordings.length] ?? '',
        gold: `${latest.hash.slice(0, 10)} ${latest.subject}`,
        isRight: namesCommit(latest),
        byHand: {
          command: 'git',
          args: ['log', '--oneline', '--no-merges', '-5', '--', folder],
          isRight: (line) => latest.hash.startsWith(line.split(' ')[0] ?? '?'),
        },
      },
    ];
  });
  return questions.slice(0, count);
}

/** Files and folders with one person ahead of the others, by `git shortlog` with the mailmap, e-mails merged. */
export function whoKnows(root: string, count: number): Question[] {
  const changes = new Map<string, number>();
  for (const path of git(root, 'log', '--no-merges', '-3000', '--name-only', '--format=').split('\n'))
    if (path !== '') changes.set(path, (changes.get(path) ?? 0) + 1);
  const tracked = new Set(git(root, 'ls-files').split('\n'));
  const paths = [...changes].filter(([path]) => tracked.has(path)).sort((a, b) => b[1] - a[1]);
  const questions: Question[] = [];
  for (const [path] of paths.slice(0, count * 6)) {
    const [first, second] = authorsOf(root, path);
    if (!first || first.commits < 4 || (second && second.commits >= first.commits * 0.9)) continue;
    const wordings = [`who knows ${path}`, `who knows most about ${path}`, `who should I ask about ${path}`];
    questions.push({
      kind: 'who knows',
      text: wordings[questions.length % wordings.length] ?? '',
      gold: `${first.names.join(' / ')} (${first.commits} commits of ${path})`,
      isRight: (cited) => first.names.some((name) => `${cited.place} ${cited.text}`.includes(name)),
      byHand: {
        command: 'git',
        args: ['shortlog', '-sn', '--no-merges', 'HEAD', '--', path],
        isRight: (line) => first.names.some((name) => line.includes(name)),
      },
    });
    if (questions.length === count) break;
  }
  return questions;
}

interface Author {
  names: string[];
  emails: Set<string>;
  commits: number;
}

function authorsOf(root: string, path: string): Author[] {
  const authors: Author[] = [];
  for (const line of git(root, 'shortlog', '-sne', '--no-merges', 'HEAD', '--', path).split('\n')) {
    const [, commits, name, email] = /^\s*(\d+)\t(.*) <(.*)>$/.exec(line) ?? [];
    if (!commits || !name || email === undefined) continue;
    const same = authors.find((one) => one.names.includes(name) || one.emails.has(email.toLowerCase()));
    const author = same ?? { names: [], emails: new Set<string>(), commits: 0 };
    if (!same) authors.push(author);
    if (!author.names.includes(name)) author.names.push(name);
    author.emails.add(email.toLowerCase());
    author.commits += Number(commits);
  }
  return authors.sort((a, b) => b.commits - a.commits);
}

/** Commits that git wrote as reverts, newest first. */
export function reverted(root: string, count: number): Question[] {
  const found = commits(root, '--no-merges', '--grep=^This reverts commit');
  const subjects = new Map<string, number>();
  const subjectOf = ({ subject }: Commit) => /^Revert "(.*?)"?(?: \(#\d+\))?$/.exec(subject)?.[1];
  for (const one of found) {
    const subject = subjectOf(one) ?? '';
    subjects.set(subject, (subjects.get(subject) ?? 0) + 1);
  }
  return found
    .flatMap((commit): Question[] => {
      const subject = subjectOf(commit);
      if (!subject || subject.startsWith('Revert') || subjects.get(subject) !== 1) return [];
      const said = subject.replace(/\s*\(#\d+\)$/, '').replace(/^\w+(?:\([^)]*\))?!?: /, '');
      return [
        {
          kind: 'reverted',
          text: `why was "${said}" reverted`,
          gold: `${commit.hash.slice(0, 10)} ${commit.subject}`,
          isRight: namesCommit(commit),
          byHand: {
            command: 'git',
            args: [
              'log',
              '--oneline',
              '-i',
              '--fixed-strings',
              `--grep=Revert "`,
              '--all-match',
              `--grep=${said}`,
            ],
            isRight: (line) => commit.hash.startsWith(line.split(' ')[0] ?? '?'),
          },
        },
      ];
    })
    .slice(0, count);
}
