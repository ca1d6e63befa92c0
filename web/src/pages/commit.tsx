import { Link, useSearchParams } from 'wouter';
import { useOperation } from '../api/use.ts';
import { Diff } from '../components/diff.tsx';
import { Card, Loaded, Page, Pill, Time } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count, firstLine } from '../format.ts';
import { links } from '../links.ts';

/** The message below its first line, which is the title of the page. */
const rest = (message: string): string => message.slice(firstLine(message).length).trim();

export default function Commit() {
  const [params] = useSearchParams();
  const sha = params.get('sha') ?? '';
  const commit = useOperation('get_commit', { commit: sha, diff: true, max_tokens: 20_000 });
  return (
    <Page
      title={commit.data ? firstLine(commit.data.message) : 'Commit'}
      lead={<code>{sha.slice(0, 10)}</code>}
    >
      <Loaded query={commit} what="the commit">
        {({ message, author, timestamp, files, tags, total, diff }) => (
          <div className="stack">
            <Card title="Why">
              <p className="meta">
                {author} <Time at={timestamp} />
                {tags.map(({ op, tag }) => (
                  <Pill key={op + tag}>
                    {op === 'add' ? '+' : '−'} {tag}
                  </Pill>
                ))}
              </p>
              {rest(message) ? (
                <p className="pre measure">{rest(message)}</p>
              ) : (
                <p className="muted">The message says no more than its title.</p>
              )}
            </Card>
            <Card title="Files" aside={<span className="muted">{count(total, 'file')}</span>}>
              <VirtualList items={files} label="Files of the commit" keyOf={({ path }) => path}>
                {(file) => (
                  <>
                    <Link href={links.artifact(file.now ?? file.path)} className="row-main path">
                      {file.path}
                    </Link>
                    <Pill>{file.status}</Pill>
                  </>
                )}
              </VirtualList>
            </Card>
            {diff ? (
              <Card title="Changed lines">
                <Diff text={diff} />
              </Card>
            ) : null}
          </div>
        )}
      </Loaded>
    </Page>
  );
}
