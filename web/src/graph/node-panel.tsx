import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { MadeFrom } from '../components/made-from.tsx';
import { Card, Pill, Time, type Tone } from '../components/states.tsx';
import { count } from '../format.ts';
import { links, refLink } from '../links.ts';
import { kindTitle, linkTitle } from './shape.ts';

type Around = Output<'get_neighbourhood'>;
export type AroundNode = Around['nodes'][number];

const tones: Record<AroundNode['state'], Tone> = {
  current: 'good',
  stale: 'warn',
  disputed: 'warn',
  superseded: 'warn',
  done: 'plain',
  gone: 'bad',
  unknown: 'plain',
};

export function StatePill({ node }: { node: AroundNode }) {
  return <Pill tone={tones[node.state]}>{node.state}</Pill>;
}

/** How far it can be trusted, as a number and as a bar. */
export function Trust({ value }: { value: number }) {
  return (
    <span className="trust">
      <meter
        min={0}
        max={100}
        low={40}
        high={70}
        optimum={100}
        value={value}
        aria-label={`trust ${value} of 100`}
      />
      <span>trust {value}</span>
    </span>
  );
}

/** What people and history say comes before what an import says. */
const said = ['about', 'covers', 'changes_with'];
const order = (type: string): number => (said.includes(type) ? said.indexOf(type) : said.length);

export function NodePanel({
  node,
  around,
  onSelect,
}: {
  node: AroundNode;
  around: Around;
  onSelect(ref: string): void;
}) {
  const titles = new Map(around.nodes.map((each) => [each.ref, each]));
  const own = around.links
    .filter((link) => link.source === node.ref || link.target === node.ref)
    .toSorted((a, b) => order(a.type) - order(b.type) || b.weight - a.weight);
  return (
    <Card title={node.title}>
      <p className="meta">
        <span className={`dot kind-${node.kind}`} aria-hidden="true" />
        {kindTitle[node.kind]} <StatePill node={node} /> <Trust value={node.trust} />
      </p>
      <dl className="facts">
        {node.detail ? (
          <div>
            <dt>What</dt>
            <dd>{node.detail}</dd>
          </div>
        ) : null}
        <div>
          <dt>Trusted as</dt>
          <dd>{node.trust_name}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{node.provenance || 'not known'}</dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>
            {node.state_reason} {node.updated ? <Time at={node.updated} /> : null}
          </dd>
        </div>
      </dl>
      <p className="meta">
        <Link href={refLink(node.ref)}>Open it</Link>
        {node.depth > 0 ? <Link href={links.graph(node.ref)}>Put it in the middle</Link> : null}
      </p>
      {node.kind === 'entry' ? <MadeFrom of={node.ref} /> : null}
      <h3 className="small-head">{count(own.length, 'link')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <ul className="rows panel-links" aria-label={`Links of ${node.title}`} tabIndex={0}>
        {own.slice(0, 60).map((link) => {
          const outward = link.source === node.ref;
          const other = titles.get(outward ? link.target : link.source);
          return (
            <li key={link.type + link.source + link.target}>
              <button type="button" className="link row-main" onClick={() => other && onSelect(other.ref)}>
                <span className="muted">{outward ? linkTitle(link.type) : `← ${linkTitle(link.type)}`}</span>
                <span className={other?.kind === 'file' ? 'path' : ''}>{other?.title}</span>
              </button>
              {link.type === 'changes_with' ? (
                <span className="muted" title={link.reason}>
                  {Math.round(link.weight * 100)} %
                </span>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
