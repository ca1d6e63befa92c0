import { useState } from 'react';
import type { Output } from '../api/client.ts';
import { useBegin, useDecision } from '../api/use.ts';
import { Failure } from '../components/states.tsx';

type Need = Output<'list_waiting'>['waiting'][number];

/** A question of a run, with what can be answered. What follows goes on in the server, also when this page is closed. */
export function NeedsYou({ need }: { need: Need }) {
  const answer = useBegin('answer_run');
  const approve = useBegin('approve_run');
  const allow = useDecision('approve');
  const [text, setText] = useState('');
  const isPlan = need.id.startsWith('revision ');
  /** An agent at work wants to be allowed something: it is the agent that is answered, not the run. */
  const isApproval = need.id.startsWith('apr_');
  const options = isApproval ? ['allow once', 'deny'] : need.options;
  const revision = Number(need.id.slice('revision '.length));
  const isBusy = answer.isPending || approve.isPending || allow.isPending;
  const words = text.trim();
  const choose = (choice: string) => {
    if (isApproval) allow.mutate({ approval_id: need.id, answer: choice === 'deny' ? 'denied' : 'approved' });
    else if (isPlan)
      approve.mutate(
        choice === 'approve'
          ? { run: need.run, revision, ...(words ? { remarks: words } : {}) }
          : { run: need.run, revision, reject: words },
      );
    else answer.mutate({ run: need.run, question: need.id, answer: `${choice} ${words}`.trim() });
  };
  const error = answer.error ?? approve.error ?? allow.error;
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
      {isApproval ? null : (
        <textarea
          aria-label={isPlan ? 'Your remarks on the plan' : 'Your words'}
          rows={2}
          value={text}
          placeholder={isPlan ? 'Remarks, or what should be different' : 'Your words, where they are needed'}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <p className="meta">
        {options.map((option, at) => (
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
        {isPlan || isApproval ? null : (
          <button type="submit" disabled={isBusy || words === ''}>
            Answer
          </button>
        )}
      </p>
      {error ? <Failure error={error} /> : null}
    </form>
  );
}
