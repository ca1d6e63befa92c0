import { hierarchy, treemap } from 'd3-hierarchy';
import { Link } from 'wouter';
import { count } from '../format.ts';
import { links } from '../links.ts';

interface Area {
  area: string;
  commits: number;
}

const named = (area: string): string => (area === '.' ? 'top level' : area);

const width = 100;
const height = 46;

/** Where work happens: the larger and stronger a tile, the more commits touched it. Each tile is a link. */
export function ChurnMap({ areas }: { areas: Area[] }) {
  const most = Math.max(...areas.map((area) => area.commits));
  const root = hierarchy<{ children?: Area[] } & Partial<Area>>({ children: areas }).sum(
    (node) => node.commits ?? 0,
  );
  const tiles = treemap<{ children?: Area[] } & Partial<Area>>()
    .size([width, height])
    .paddingInner(0.6)(root)
    .leaves();
  return (
    <ul className="churn" aria-label="Areas by number of commits">
      {tiles.map((tile) => {
        const { area = '', commits = 0 } = tile.data;
        return (
          <li
            key={area}
            style={{
              left: `${(tile.x0 / width) * 100}%`,
              top: `${(tile.y0 / height) * 100}%`,
              width: `${((tile.x1 - tile.x0) / width) * 100}%`,
              height: `${((tile.y1 - tile.y0) / height) * 100}%`,
            }}
          >
            <Link
              href={area === '.' ? links.whole({ folder: '' }) : links.search(area)}
              className={`heat-${Math.ceil((commits / most) * 4)}`}
              title={`${named(area)}: ${count(commits, 'commit')}`}
            >
              <span className="churn-name">{named(area)}</span>
              <span>
                {commits}
                <span className="churn-word"> {commits === 1 ? 'commit' : 'commits'}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
