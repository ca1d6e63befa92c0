import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { count } from '../format.ts';
import { links } from '../links.ts';
import { Markdown } from './markdown.tsx';
import { Pill } from './states.tsx';

type Atom = NonNullable<Output<'get_area_context'>['data']>['orphanAtoms'][number];

type Shown = Pick<Atom, 'id' | 'name' | 'knowledge' | 'staleness'>;

export function AreaKnowledge({ atom, unnamed = false }: { atom: Shown; unnamed?: boolean }) {
  const { staleness } = atom;
  return (
    <div className="knowledge">
      <p className="meta">
        {unnamed ? null : (
          <Link href={links.area(atom.id)}>
            <strong>{atom.name}</strong>
          </Link>
        )}
        {staleness?.state === 'stale' ? (
          <Pill tone="warn">stale: {count(staleness.commits, 'commit')} since</Pill>
        ) : null}
        {staleness?.state === 'fresh' ? <Pill tone="good">fresh</Pill> : null}
      </p>
      <Markdown text={atom.knowledge} />
    </div>
  );
}
