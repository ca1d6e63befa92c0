import { Link, useSearchParams } from 'wouter';
import { Page } from '../components/states.tsx';
import AroundView from '../graph/around-view.tsx';
import { kindTitles, linkTitle, linkTitles } from '../graph/shape.ts';
import { Start } from '../graph/start.tsx';
import WholeView from '../graph/whole-view.tsx';

const usual = ['file', 'area', 'entry', 'task', 'topic'];
const offered = [...usual, 'symbol', 'commit'];
const trusts: Array<[value: number, title: string]> = [
  [0, 'anything'],
  [30, 'no guesses'],
  [60, 'areas and documents, and better'],
  [80, 'verified, or said by a person'],
  [100, 'only what the code says'],
];

/** Everything chosen stands in the address, so that a view can be kept and sent. */
export default function GraphPage() {
  const [params, setParams] = useSearchParams();
  const ref = params.get('ref') ?? '';
  const whole = params.get('whole') !== null;
  const asList = params.get('view') === 'list';
  const set = (name: string, value: string | undefined) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === undefined) next.delete(name);
      else next.set(name, value);
      return next;
    });
  const ways = (
    <fieldset className="filters">
      <legend>Show as</legend>
      {(['drawing', 'list'] as const).map((view) => (
        <button
          key={view}
          type="button"
          aria-pressed={asList === (view === 'list')}
          onClick={() => set('view', view === 'list' ? 'list' : undefined)}
        >
          {view}
        </button>
      ))}
    </fieldset>
  );
  if (whole)
    return (
      <Page title="Graph" lead={<Link href="/graph">Start from one thing</Link>}>
        <div className="toolbar">
          {ways}
          <fieldset className="filters">
            <legend>Circles</legend>
            {(['folders', 'every file'] as const).map((what) => (
              <button
                key={what}
                type="button"
                aria-pressed={(params.get('every') !== null) === (what === 'every file')}
                onClick={() => set('every', what === 'every file' ? '1' : undefined)}
              >
                {what}
              </button>
            ))}
          </fieldset>
        </div>
        <WholeView folder={params.get('folder') ?? ''} every={params.get('every') !== null} asList={asList} />
      </Page>
    );
  if (ref === '')
    return (
      <Page title="Graph" lead="What has to do with what: code, history, areas, memory, work, references.">
        <Start />
      </Page>
    );
  const depth = Number(params.get('depth')) || 1;
  const kinds = params.get('kinds')?.split(',').filter(Boolean) ?? usual;
  const types = params.get('types')?.split(',').filter(Boolean);
  const trust = Number(params.get('trust')) || 0;
  const toggle = (list: string[], value: string) =>
    (list.includes(value) ? list.filter((each) => each !== value) : [...list, value]).join(',');
  return (
    <Page
      title="Graph"
      lead={
        <>
          Around <span className="path">{ref.slice(ref.indexOf(':') + 1)}</span> ·{' '}
          <Link href="/graph">start elsewhere</Link>
        </>
      }
    >
      <div className="toolbar">
        {ways}
        <fieldset className="filters">
          <legend>Steps</legend>
          {[1, 2, 3].map((steps) => (
            <button
              key={steps}
              type="button"
              aria-pressed={depth === steps}
              onClick={() => set('depth', String(steps))}
            >
              {steps}
            </button>
          ))}
        </fieldset>
        <fieldset className="filters">
          <legend>Kinds</legend>
          {offered.map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={kinds.includes(kind)}
              onClick={() => set('kinds', toggle(kinds, kind))}
            >
              <span className={`dot kind-${kind}`} aria-hidden="true" /> {kindTitles[kind]}
            </button>
          ))}
        </fieldset>
        <div className="fields">
          <label>
            <span>Links</span>
            <select
              value={types?.[0] ?? ''}
              onChange={(event) => set('types', event.target.value || undefined)}
            >
              <option value="">of every type</option>
              {Object.keys(linkTitles).map((type) => (
                <option key={type} value={type}>
                  {linkTitle(type)}
                </option>
              ))}
            </select>
          </label>
          <label>
            <span>Trust</span>
            <select value={trust} onChange={(event) => set('trust', event.target.value)}>
              {trusts.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </div>
      </div>
      <AroundView
        key={ref}
        centre={ref}
        depth={depth}
        kinds={kinds}
        types={types}
        trust={trust}
        asList={asList}
      />
    </Page>
  );
}
