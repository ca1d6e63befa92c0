import { useState } from 'react';
import type { Output } from '../api/client.ts';
import { useBegin } from '../api/use.ts';
import { Failure } from '../components/states.tsx';

type Need = Output<'list_waiting'>['waiting'][number];

/** A question of a run, with what can be answered. What follows goes on in the server, also when this page is closed. */
export function NeedsYou({ need }: { need: Need }) {
  const answer = useBegin('answer_run');
  const approve = useBegin('approve_run');
  const [text, setText] = useState('');
  const isPlan = need.id.startsWith('revision ');
  const revision = Number(need.id.slice('revision '.length));
  const isBusy = answer.isPending || approve.isPending;
  const words = text.trim();
  const choose = (choice: string) => {
    if (isPlan)
      approve.mutate(
        choice === 'approve'
          ? { run: need.run, revision, ...(words ? { remarks: words } : {}) }
          : { run: need.run, revision, reject: words },
      );
    else answer.mutate({ run: need.run, question: need.id, answer: `${choice} ${words}`.trim() });
  };
  const error = answer.error ?? approve.error;
  return (
    <form
      className="entry"
      onSubmit={(event) => {
        event.preventDefault();
        choose('');
      }}
    >
      <p className="pre measure">
        {need.node ? <strong>{need.node}: </strong> : null}
        {need.question}
      </p>
      <textarea
        aria-label={isPlan ? 'Your remarks on the plan' : 'Your words'}
        rows={2}
        value={text}
        placeholder={isPlan ? 'Remarks, or what should be different' : 'Your words, where they are needed'}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="meta">
        {need.options.map((option, at) => (
          <button
            key={option}
            type="button"
            className={at === 0 ? 'primary' : ''}
            disabled={isBusy || (option === 'reject' && words === '')}
            onClick={() => choose(option)}
          >
            {option.replaceAll('_', ' ')}
          </button>
        ))}
        {isPlan ? null : (
          <button type="submit" disabled={isBusy || words === ''}>
            Answer
          </button>
        )}
      </p>
      {error ? <Failure error={error} /> : null}
    </form>
  );
}
