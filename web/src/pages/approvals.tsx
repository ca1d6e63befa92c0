import { useState } from 'react';
import type { Output } from '../api/client.ts';
import { useDecision, useOperation } from '../api/use.ts';
import { OpenSessions } from '../approvals/open-sessions.tsx';
import { ProposedPreferences } from '../approvals/proposals.tsx';
import { StandingRule } from '../approvals/standing-rule.tsx';
import { Card, Failure, Loaded, Notice, Page, Pill, Time, type Tone } from '../components/states.tsx';
import { askedFor, bytes, count, sentence } from '../format.ts';

type Approval = Output<'list_approvals'>['approvals'][number];

export default function Approvals() {
  const pending = useOperation('list_approvals', { status: 'pending' }, { everyMs: 3_000 });
  const answered = useOperation('list_approvals', { status: 'all' });
  return (
    <Page
      title="Approvals"
      lead="What agents ask to do outside this repository. Nothing happens before you answer."
    >
      <div className="stack">
        <Loaded query={pending} what="approvals">
          {({ approvals }) =>
            approvals.length === 0 ? (
              <Notice title="Nothing waits for an answer">
                When an agent asks to fetch documents or to reach outside, the question appears here by
                itself.
              </Notice>
            ) : (
              approvals.map((approval) => <Request key={approval.id} approval={approval} />)
            )
          }
        </Loaded>
        <ProposedPreferences />
        <Card title="Answered">
          <Loaded query={answered} what="earlier approvals">
            {({ approvals }) => {
              const past = approvals.filter((approval) => approval.status !== 'pending');
              if (past.length === 0) return <p className="muted">None yet.</p>;
              return (
                <ul className="rows">
                  {past.map((approval) => (
                    <li key={approval.id}>
                      <span className="row-main">
                        {askedFor(approval.prompt)}
                        {approval.note ? <span className="muted">{approval.note}</span> : null}
                      </span>
                      <Pill tone={outcomes[approval.status]?.[1] ?? 'plain'}>
                        {outcomes[approval.status]?.[0] ?? approval.status}
                      </Pill>
                      <Time at={approval.answered_at ?? approval.requested_at} />
                    </li>
                  ))}
                </ul>
              );
            }}
          </Loaded>
        </Card>
        <OpenSessions />
      </div>
    </Page>
  );
}

const kinds: Record<string, string> = {
  REFERENCE_TOPIC_CREATE: 'Fetch documents',
  WORKSPACE_ESCAPE: 'Access outside of the workspace',
};

const targetKinds: Record<string, string> = { web: 'Web page', git: 'Repository', local: 'Folder' };

const outcomes: Record<string, [says: string, tone: Tone]> = {
  approved: ['approved', 'good'],
  used: ['approved, done', 'good'],
  denied: ['denied', 'bad'],
  expired: ['expired', 'plain'],
};

function Request({ approval }: { approval: Approval }) {
  const [note, setNote] = useState('');
  const { mutate, isPending: busy, error } = useDecision('approve');
  const decide = (answer: 'approved' | 'denied', always = false) =>
    mutate({ approval_id: approval.id, answer, always, note: note || undefined });
  const standing = approval.always.map(({ tool, command, path }) => `${tool} ${command ?? path}`);
  return (
    <Card
      title={`${kinds[approval.kind] ?? sentence(approval.kind)}, asked by ${approval.requested_by}`}
      aside={<Time at={approval.requested_at} />}
    >
      <p className="pre">{approval.prompt.replace(/ Approve \/ Deny$/, '')}</p>
      <dl className="facts">
        {approval.targets.map((target) => (
          <div key={target.kind + target.target}>
            <dt>{targetKinds[target.kind] ?? target.kind}</dt>
            <dd>
              <span className="path">{target.target}</span>
              {target.resolved ? <span className="muted path"> → {target.resolved}</span> : null}
              {target.note ? <span className="muted"> {target.note}</span> : null}
            </dd>
          </div>
        ))}
        <div>
          <dt>Size</dt>
          <dd>
            {approval.files === null ? 'not known before' : count(approval.files, 'file')}
            {approval.bytes ? `, ${bytes(approval.bytes)}` : ', bytes not known before it is fetched'}
          </dd>
        </div>
        <div>
          <dt>Digest</dt>
          <dd>
            <code className="path">{approval.digest}</code>
          </dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>
            <Time at={approval.expires_at} />
          </dd>
        </div>
      </dl>
      <div className="answer">
        <label>
          <span>Reason (kept with the answer)</span>
          <input type="text" value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        <button type="button" className="primary" disabled={busy} onClick={() => decide('approved')}>
          Approve once
        </button>
        {standing.length > 0 ? (
          <button
            type="button"
            disabled={busy}
            title={`In this repository, from now on: ${standing.join('; ')}`}
            onClick={() => decide('approved', true)}
          >
            Approve always
          </button>
        ) : null}
        <button type="button" disabled={busy} onClick={() => decide('denied')}>
          Deny
        </button>
      </div>
      <StandingRule approval={approval} />
      {error ? <Failure error={error} /> : null}
    </Card>
  );
}
