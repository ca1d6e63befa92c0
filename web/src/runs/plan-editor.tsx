import { useState } from 'react';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded } from '../components/states.tsx';
import { hasEnded, type Run } from './stage.ts';

/** The plan as text. A changed one is checked and waits for approval; what is finished stays. */
export function PlanEditor({ run }: { run: Run }) {
  const [isOpen, setOpen] = useState(false);
  if (hasEnded(run.status)) return null;
  return (
    <Card
      title="Plan"
      aside={
        <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Edit'}
        </button>
      }
    >
      {isOpen ? <Text run={run} onDone={() => setOpen(false)} /> : null}
    </Card>
  );
}

function Text({ run, onDone }: { run: Run; onDone: () => void }) {
  const shown = useOperation('get_run', { run: run.run, plan: true }, { calm: true });
  const edit = useAction('edit_plan');
  const [text, setText] = useState<string>();
  return (
    <Loaded query={shown} what="the plan">
      {({ plan }) => {
        const value = text ?? JSON.stringify(plan ?? {}, null, 2);
        return (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              edit.mutate({ run: run.run, plan: value }, { onSuccess: onDone });
            }}
          >
            <textarea
              aria-label="The plan: JSON, YAML, or Markdown with a table"
              className="code"
              rows={Math.min(30, value.split('\n').length + 1)}
              value={value}
              onChange={(event) => setText(event.target.value)}
            />
            <p className="meta">
              <button type="submit" className="primary" disabled={edit.isPending || text === undefined}>
                Propose this plan
              </button>
              <span className="muted">It is checked first, and waits for your approval.</span>
            </p>
            {edit.error ? <Failure error={edit.error} /> : null}
          </form>
        );
      }}
    </Loaded>
  );
}
