import { useState } from 'react';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded } from '../components/states.tsx';
import { hasEnded, type Run } from './stage.ts';

/** Who does what, after what, and where it probably changes something; as text where it is edited. A changed one is checked and waits for approval; what is finished stays. */
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
      {isOpen ? <Text run={run} onDone={() => setOpen(false)} /> : <Steps run={run} />}
    </Card>
  );
}

const likely = 0.5;

function Steps({ run }: { run: Run }) {
  const shown = useOperation('get_run', { run: run.run, plan: true }, { calm: true });
  return (
    <Loaded query={shown} what="the plan">
      {({ plan }) => (
        <ol className="prose">
          {(plan?.nodes ?? []).map(({ id, agent, prompt, depends_on, touches }) => {
            const files = touches.filter(({ probability }) => probability >= likely);
            return (
              <li key={id}>
                <strong>{id}</strong> <span className="muted">({agent})</span> {prompt}
                <br />
                <span className="muted">
                  {depends_on.length > 0 ? `after ${depends_on.join(', ')}` : 'at once'}
                  {files.length > 0 ? ` · probably in ${files.map(({ path }) => path).join(', ')}` : ''}
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </Loaded>
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
