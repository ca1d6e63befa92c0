import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { Chosen, Loaded, Loading, Notice } from '../components/states.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { count } from '../format.ts';
import { linksToDraw } from './links-to-draw.ts';
import { NodePanel, StatePill, Trust } from './node-panel.tsx';
import { type Drawn, kindTitles, linkTitle } from './shape.ts';

const Drawing = lazy(() => import('./drawing.tsx'));

export interface AroundChoice {
  centre: string;
  depth: number;
  kinds: string[];
  types: string[] | undefined;
  trust: number;
  asList: boolean;
}

type Around = Output<'get_neighbourhood'>;

/** One thing and what it has to do with, drawn or listed; the chosen neighbour is explained beside. */
export default function AroundView({ centre, depth, kinds, types, trust, asList }: AroundChoice) {
  const around = useOperation('get_neighbourhood', {
    ref: centre,
    depth,
    kinds: kinds as Around['nodes'][number]['kind'][],
    min_trust: trust,
    limit: 400,
    ...(types ? { types } : {}),
  });
  const [selected, setSelected] = useState(centre);
  return (
    <Loaded query={around} what="the neighbourhood">
      {(found) => {
        const node = found.nodes.find(({ ref }) => ref === selected) ?? found.nodes[0];
        return (
          <>
            <p className="meta muted" role="status">
              {count(found.nodes.length - 1, 'neighbour')}, {count(found.links.length, 'link')}
              {asList ? '' : strongest(found)}
              {found.left_out > 0 ? `; ${count(found.left_out, 'more')} than fit: narrow the filters` : ''}
            </p>
            <div className="graph-split">
              <div>
                {found.nodes.length === 1 ? (
                  <Notice title="No links">Go further out, or show more kinds.</Notice>
                ) : asList ? (
                  <div className="card">
                    <AroundList found={found} onSelect={setSelected} />
                  </div>
                ) : (
                  <AroundDrawing found={found} selected={selected} onSelect={setSelected} />
                )}
              </div>
              {node ? (
                <Beside key={node.ref} off={!asList || node.ref === centre}>
                  <NodePanel node={node} around={found} onSelect={setSelected} />
                </Beside>
              ) : null}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

function strongest(found: Around): string {
  const drawn = linksToDraw(found).length;
  return drawn < found.links.length ? `; the ${drawn} strongest are drawn` : '';
}

/** What is chosen in the list may be a long way up or down on a narrow screen; the drawing stays where it is. */
const Beside = ({ off, children }: { off: boolean; children: ReactNode }) =>
  off ? <div>{children}</div> : <Chosen>{children}</Chosen>;

function AroundDrawing({
  found,
  selected,
  onSelect,
}: {
  found: Around;
  selected: string;
  onSelect(ref: string): void;
}) {
  const [drawn, setDrawn] = useState<Drawn>();
  useEffect(() => {
    let wanted = true;
    void import('./around-layout.ts').then(({ placeAround }) => {
      if (wanted) setDrawn(placeAround(found));
    });
    return () => {
      wanted = false;
    };
  }, [found]);
  return (
    <div className="graph-stage">
      <Suspense fallback={<Loading what="the drawing" />}>
        {drawn ? (
          <Drawing
            drawn={drawn}
            selected={selected}
            onSelect={onSelect}
            label={`What is around ${found.ref}`}
          />
        ) : (
          <Loading what="the drawing" />
        )}
      </Suspense>
      <ul className="legend" aria-label="Colours">
        {[...new Set(found.nodes.map(({ kind }) => kind))].map((kind) => (
          <li key={kind}>
            <span className={`dot kind-${kind}`} aria-hidden="true" /> {kindTitles[kind]}
          </li>
        ))}
        {[...new Set(found.links.map(({ type }) => type))].map((type) => (
          <li key={type}>
            <span className={`dash link-${type}`} aria-hidden="true" /> {linkTitle(type)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function AroundList({ found, onSelect }: { found: Around; onSelect(ref: string): void }) {
  const ways = new Map<string, Set<string>>();
  for (const link of found.links)
    for (const end of [link.source, link.target])
      ways.set(end, (ways.get(end) ?? new Set()).add(linkTitle(link.type)));
  return (
    <VirtualList items={found.nodes} label="Neighbours" keyOf={({ ref }) => ref}>
      {(node) => (
        <>
          <span className={`dot kind-${node.kind}`} aria-hidden="true" />
          <button type="button" className="link row-main" onClick={() => onSelect(node.ref)}>
            <span className={node.kind === 'file' ? 'path' : ''}>{node.title}</span>
            <span className="muted">
              {node.depth === 0 ? 'in the middle' : `${count(node.depth, 'step')} away`} ·{' '}
              {[...(ways.get(node.ref) ?? [])].join(', ')}
            </span>
          </button>
          <StatePill node={node} />
          <Trust value={node.trust} />
        </>
      )}
    </VirtualList>
  );
}
