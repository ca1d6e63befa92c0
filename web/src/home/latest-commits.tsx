import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../api/client.ts';
import { Time } from '../components/states.tsx';
import { links } from '../links.ts';

/** Lines of `sha subject`, each with who made it and when, which is asked for once: a commit never changes. */
export function LatestCommits({ lines }: { lines: string[] }) {
  const commits = lines.map((line) => {
    const [sha = '', ...words] = line.split(' ');
    return { sha, subject: words.join(' ') };
  });
  const asked = useQueries({
    queries: commits.map(({ sha }) => ({
      queryKey: ['get_commit', 'head', sha],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('get_commit', { commit: sha, max_tokens: 400 }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      meta: { calm: true },
    })),
  });
  return (
    <ul className="rows">
      {commits.map(({ sha, subject }, at) => {
        const facts = asked[at]?.data;
        return (
          <li key={sha}>
            <span className="row-main">
              <Link href={links.commit(sha)}>{subject}</Link>
              <span className="muted small">
                {facts ? (
                  <>
                    {facts.author} · <Time at={facts.timestamp} /> ·{' '}
                  </>
                ) : null}
                <code>{sha.slice(0, 7)}</code>
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
