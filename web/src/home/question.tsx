import { useState } from 'react';
import { useLocation } from 'wouter';
import { links } from '../links.ts';

/** The first thing a person can do: ask. */
export function Question() {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  return (
    <form
      className="searchbar"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) navigate(links.search(text.trim()));
      }}
    >
      <input
        type="search"
        aria-label="Ask about this repository"
        placeholder="Ask about this repository: why, where, how…"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="primary">
        Ask
      </button>
    </form>
  );
}
