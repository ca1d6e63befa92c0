import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { kindOfDomain, useEverywhere } from '../api/everywhere.ts';
import { useFilesNamed } from '../api/files-named.ts';
import { links } from '../links.ts';
import { pages as allPages } from '../page-list.ts';
import { useSettled } from './use-settled.ts';

interface Choice {
  key: string;
  title: string;
  kind: string;
  to: string;
}

const matchingPages = (query: string) =>
  allPages.filter(([, title]) => title.toLowerCase().startsWith(query.toLowerCase()));

/** The search that is one key away on every page. */
export function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [, navigate] = useLocation();
  const query = useSettled(text.trim());
  const found = useEverywhere(query, 5);
  const named = useFilesNamed(query, 4);

  useEffect(() => dialog.current?.showModal(), []);

  const hits = query === '' ? [] : found.groups.flatMap((group) => group.hits);
  const pages = query === '' ? [] : matchingPages(query);
  const choices: Choice[] = [
    ...pages.map(([to, title]) => ({ key: `page ${to}`, title: `Go to ${title}`, kind: 'page', to })),
    ...named.map((path) => ({ key: `name ${path}`, title: path, kind: 'file', to: links.artifact(path) })),
    ...hits
      .filter(({ domain, title }) => domain !== 'code' || !named.includes(title))
      .toSorted((a, b) => b.relevance - a.relevance)
      .map(({ key, title, domain, to }) => ({ key, title, kind: kindOfDomain[domain] ?? domain, to })),
    ...(query === ''
      ? []
      : [{ key: 'all', title: `All results for “${query}”`, kind: 'search', to: links.search(query) }]),
  ];
  const chosen = Math.min(active, choices.length - 1);
  useEffect(() => {
    document.getElementById(`choice-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
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
        aria-label="Find code, commits, knowledge, references, work and skills"
        aria-expanded={choices.length > 0}
        aria-controls="palette-choices"
        aria-activedescendant={choices[chosen] ? `choice-${chosen}` : undefined}
        placeholder="Find code, commits, knowledge, references, work, skills…"
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
            <span className={choice.kind === 'file' ? 'clip-start path' : 'clip'}>
              <bdi>{choice.title}</bdi>
            </span>
            <span className="muted">{choice.kind}</span>
          </div>
        ))}
      </div>
      <p className="palette-foot muted">
        <span role="status">
          {query === ''
            ? 'Type to search.'
            : found.fetching
              ? 'Searching…'
              : `${choices.length - 1 - pages.length} found`}
        </span>
        <span className="keys">↑ ↓ choose, Enter opens, Esc closes</span>
      </p>
    </dialog>
  );
}
