import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useOperation } from '../api/use.ts';
import { links, resultLink } from '../links.ts';
import { useSettled } from './use-settled.ts';

interface Choice {
  key: string;
  title: string;
  kind: string;
  to: string;
}

/** The search that is one key away on every page. */
export function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [, navigate] = useLocation();
  const query = useSettled(text.trim());
  const found = useOperation('search_all', { query, limit_per_domain: 5 }, { enabled: query !== '' });

  useEffect(() => dialog.current?.showModal(), []);

  const hits = query === '' ? [] : (found.data?.results.flatMap((group) => group.results) ?? []);
  const choices: Choice[] = [
    ...hits
      .toSorted((a, b) => b.relevance - a.relevance)
      .map((hit) => ({ key: hit.ref, title: hit.title, kind: hit.domain, to: resultLink(hit) })),
    ...(query === ''
      ? []
      : [{ key: 'all', title: `All results for “${query}”`, kind: 'search', to: links.search(query) }]),
  ];
  const chosen = Math.min(active, choices.length - 1);
  const open = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    navigate(choice.to);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setActive((chosen + step + choices.length) % Math.max(choices.length, 1));
    } else if (event.key === 'Enter') open(choices[chosen]);
  };

  return (
    <dialog ref={dialog} className="palette" aria-label="Find anything" onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label="Find code, commits, knowledge, work and skills"
        aria-expanded={choices.length > 0}
        aria-controls="palette-choices"
        aria-activedescendant={choices[chosen] ? `choice-${chosen}` : undefined}
        placeholder="Find code, commits, knowledge, work, skills…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKey}
      />
      <div id="palette-choices" role="listbox" aria-label="Results">
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus.
          <div
            key={choice.key}
            id={`choice-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(choice)}
          >
            <span className="clip">{choice.title}</span>
            <span className="muted">{choice.kind}</span>
          </div>
        ))}
      </div>
      <p className="palette-foot muted" role="status">
        {query === ''
          ? 'Type to search. ↑ ↓ choose, Enter opens, Esc closes.'
          : found.isFetching
            ? 'Searching…'
            : `${hits.length} found`}
      </p>
    </dialog>
  );
}
