import { useState } from 'react';
import { useAction } from '../api/use.ts';
import { Failure } from '../components/states.tsx';

/** A task by its title; a description and what it waits for come later, on its own page or from an agent. */
export function AddTask() {
  const save = useAction('save_work');
  const [title, setTitle] = useState('');
  const failure = save.data?.error ? new Error(save.data.error.message) : save.error;
  return (
    <>
      <form
        className="searchbar"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim())
            save.mutate(
              { type: 'task', title: title.trim(), summary: title.trim(), priority: 'MEDIUM', complexity: 3 },
              { onSuccess: ({ success }) => success && setTitle('') },
            );
        }}
      >
        <input
          aria-label="A new task"
          placeholder="A new task"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <button type="submit" disabled={save.isPending}>
          Add task
        </button>
      </form>
      {failure ? <Failure error={failure} /> : null}
    </>
  );
}
