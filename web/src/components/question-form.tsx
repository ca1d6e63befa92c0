import { useState } from 'react';
import { useLocation } from 'wouter';
import { links } from '../links.ts';

/** A question to Sylk: its answer is a page of its own. */
export function QuestionForm({ asked = '' }: { asked?: string }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState(asked);
  return (
    <form
      className="searchbar"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) navigate(links.ask(text.trim()));
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
