import { Link } from 'wouter';
import { links } from '../links.ts';

interface Partner {
  path: string;
  jaccard: number;
}

const name = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const clip = (text: string): string => (text.length > 22 ? `${text.slice(0, 21)}…` : text);

/** The nearest files around one file: the shorter and thicker the line, the more often both change together. */
export function CochangeGraph({ path, partners }: { path: string; partners: Partner[] }) {
  const shown = partners.slice(0, 10);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset.
    <svg
      className="cochange"
      viewBox="-270 -135 540 270"
      role="group"
      aria-label={`Files that change with ${path}`}
    >
      {shown.map((partner, index) => {
        const turn = (index / shown.length) * 2 * Math.PI - Math.PI / 2;
        const far = 1 - partner.jaccard * 0.4;
        const x = Math.cos(turn) * 120 * far;
        const y = Math.sin(turn) * 105 * far;
        // Names stand outside, beside the circle, so that neighbours do not cover each other.
        const side = Math.abs(x) < 25 ? 0 : Math.sign(x);
        return (
          <Link
            key={partner.path}
            href={links.artifact(partner.path)}
            aria-label={`${clip(name(partner.path))}, ${Math.round(partner.jaccard * 100)} percent together`}
          >
            <line x1={0} y1={0} x2={x} y2={y} strokeWidth={1 + partner.jaccard * 5} />
            <circle cx={x} cy={y} r={7} />
            <text
              x={x + side * 12}
              y={side === 0 ? y + (y < 0 ? -12 : 20) : y + 4}
              textAnchor={side === 0 ? 'middle' : side > 0 ? 'start' : 'end'}
            >
              {clip(name(partner.path))}
            </text>
          </Link>
        );
      })}
      <circle className="self" cx={0} cy={0} r={10} />
      <text className="self" x={0} y={26} textAnchor="middle">
        {clip(name(path))}
      </text>
    </svg>
  );
}
