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
                    <span className="row-main">
                      <Link href={links.artifact(path, { line: symbol.line })}>
                        <code>{shown(symbol)}</code>
                      </Link>
                      <span className="muted">{firstLine(symbol.doc)}</span>
                      <Uses symbol={symbol} />
                    </span>
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

const howKnown = { compiler: '', scip: '', imports: ', by imports', name: ', by name only' };

/** Who uses a symbol, asked for when somebody wants to know. */
function Uses({ symbol }: { symbol: Found }) {
  const [isOpen, setOpen] = useState(false);
  const found = useOperation(
    'get_symbol',
    { symbol_id: symbol.ref, include_source: false, max_tokens: 8_000 },
    { enabled: isOpen },
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Uses<span className="hidden"> of {shown(symbol)}</span>
      </summary>
      {isOpen ? (
        <Loaded query={found} what="its uses">
          {({ callers }) =>
            callers.length === 0 ? (
              <p className="muted">No use was found.</p>
            ) : (
              <ul className="rows">
                {callers.map(({ path, at_line, name, known }) => (
                  <li key={`${path}:${at_line} ${name}`}>
                    <Link href={links.artifact(path, { line: at_line })} className="row-main path">
                      {path}:{at_line}
                    </Link>
                    <span className="muted small">
                      {name}
                      {howKnown[known]}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      ) : null}
    </details>
  );
}
