import { useOperation } from '../api/use.ts';
import { QuestionForm } from '../components/question-form.tsx';
import { Page } from '../components/states.tsx';
import { Changes, Churn } from '../home/changes.tsx';
import { Indexes } from '../home/indexes.tsx';
import { OpenWork } from '../home/open-work.tsx';
import { Waiting } from '../home/waiting.tsx';

export function Home() {
  const status = useOperation('get_status', {}, { everyMs: 5_000 });
  const name = status.data?.repository.split('/').at(-1) ?? 'Home';
  return (
    <Page title={name} lead={status.data ? <span className="path">{status.data.repository}</span> : null}>
      <QuestionForm />
      <div className="grid lifts">
        <div className="stack">
          <Changes />
          <Churn />
        </div>
        <div className="stack">
          <div className="lifted">
            <Waiting />
          </div>
          <OpenWork />
          <Indexes />
        </div>
      </div>
    </Page>
  );
}
