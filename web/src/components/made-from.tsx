import { Link } from 'wouter';
import { useOperation } from '../api/use.ts';
import { refLink } from '../links.ts';
import { Pill } from './states.tsx';

/** What something was made from, and that in turn; nothing where nobody recorded it. */
export function MadeFrom({ of }: { of: string }) {
  const found = useOperation('get_sources', { ref: of });
  const sources = found.data?.sources ?? [];
  if (sources.length === 0) return null;
  return (
    <section aria-label="Made from">
      <h3 className="small-head">Made from</h3>
      <ul className="rows">
        {sources.map((source) => (
          <li key={source.n}>
            <span className="row-main">
              {source.card ? <Link href={refLink(source.card.ref)}>{source.line}</Link> : source.line}
            </span>
            <Pill tone={source.verified ? 'good' : 'plain'}>
              {source.verified ? 'verified' : 'not verified'}
            </Pill>
          </li>
        ))}
      </ul>
    </section>
  );
}
