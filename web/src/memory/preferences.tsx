import { useState } from 'react';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Pill } from '../components/states.tsx';

/** What the person wants of every agent, here or in all repositories. */
export function Preferences() {
  const preferences = useOperation('get_preferences', {});
  const remove = useAction('remove_preference');
  return (
    <Card title="Preferences">
      <Loaded query={preferences} what="preferences">
        {({ explicit, everywhere }) => {
          const rows = Object.entries(explicit);
          return rows.length === 0 ? (
            <p className="muted">None yet. Agents are told them at the start of a conversation.</p>
          ) : (
            <ul className="rows">
              {rows.map(([category, preference]) => {
                const isEverywhere = everywhere.includes(category);
                return (
                  <li key={category}>
                    <span className="row-main">
                      <strong>{category}</strong>
                      {preference}
                    </span>
                    {isEverywhere ? <Pill>in every repository</Pill> : null}
                    <button
                      type="button"
                      className="link"
                      disabled={remove.isPending}
                      onClick={() => remove.mutate({ category, everywhere: isEverywhere })}
                    >
                      Remove<span className="hidden"> {category}</span>
                    </button>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Loaded>
      {remove.error ? <Failure error={remove.error} /> : null}
      <Add />
    </Card>
  );
}

function Add() {
  const set = useAction('set_preference');
  const [category, setCategory] = useState('');
  const [preference, setPreference] = useState('');
  const [everywhere, setEverywhere] = useState(false);
  return (
    <form
      className="entry"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(
          { category: category.trim(), preference: preference.trim(), everywhere },
          {
            onSuccess: () => {
              setCategory('');
              setPreference('');
            },
          },
        );
      }}
    >
      <input
        aria-label="About what"
        placeholder="About what: testing, commits …"
        value={category}
        onChange={(event) => setCategory(event.target.value)}
      />
      <input
        aria-label="What you prefer"
        placeholder="What you prefer"
        value={preference}
        onChange={(event) => setPreference(event.target.value)}
      />
      <label className="meta">
        <input
          type="checkbox"
          checked={everywhere}
          onChange={(event) => setEverywhere(event.target.checked)}
        />
        In every repository
      </label>
      <button type="submit" disabled={set.isPending || category.trim() === '' || preference.trim() === ''}>
        Add preference
      </button>
      {set.error ? <Failure error={set.error} /> : null}
    </form>
  );
}
