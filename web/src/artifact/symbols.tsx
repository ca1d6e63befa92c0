import { useState } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use.ts';
import { Card, Loaded, Notice, Pill } from '../components/states.tsx';
import { count, firstLine } from '../format.ts';
import { links } from '../links.ts';

type Found = Output<'get_file_symbols'>['symbols'][number];

const few = 12;
/** Parts of something else, which is listed itself. */
const parts = /^(field|property|parameter|enum member)$/;

/** Names that occur more than once are told apart by a number that says nothing to a reader. */
const shown = ({ qualified, name }: Found): string => (qualified || name).replace(/~\d+(?=\.|$)/g, '');

/** What a file declares: what stands on its own first, all of it on demand. */
export function Symbols({ path }: { path: string }) {
  const [all, setAll] = useState(false);
  const symbols = useOperation('get_file_symbols', { path, max_tokens: 20_000 });
  return (
    <Card
      title="Symbols"
      aside={symbols.data?.total ? <span className="muted">{symbols.data.total}</span> : null}
    >
      <Loaded query={symbols} what="symbols" missing={<p className="muted">Sylk has not read this file.</p>}>
        {({ symbols: found }) => {
          if (found.length === 0)
            return <Notice title="No symbols">This kind of file declares none that Sylk reads.</Notice>;
          const main = found.filter(({ kind }) => !parts.test(kind));
          const list = all ? found : (main.length > 0 ? main : found).slice(0, few);
          return (
            <>
              <ul className="rows">
                {list.map((symbol) => (
                  <li key={symbol.ref}>
                    <Link href={links.artifact(path, { line: symbol.line })} className="row-main">
                      <code>{shown(symbol)}</code>
                      <span className="muted">{firstLine(symbol.doc)}</span>
                    </Link>
                    <Pill>{symbol.kind}</Pill>
                  </li>
                ))}
              </ul>
              {list.length < found.length ? (
                <button type="button" onClick={() => setAll(true)}>
                  Show all {count(found.length, 'symbol')}
                </button>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
