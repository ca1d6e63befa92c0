import { useState } from 'react';
import type { Output } from '../api/client.ts';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Notice, Page, Pill } from '../components/states.tsx';
import { Budgets } from '../people/budgets.tsx';
import { Records } from '../people/records.tsx';
import { Tokens } from '../people/tokens.tsx';

type Member = Output<'list_people'>['people'][number];
const levels = ['none', 'reader', 'writer', 'reviewer', 'admin'] as const;

/** Members of a team, what they may do, their tokens, what they spend and what they did. */
export default function People() {
  const me = useOperation('who_am_i', {});
  const isAdmin = me.data?.right === 'admin';
  return (
    <Page
      title="People"
      lead={
        me.data ? (
          <>
            You are {me.data.name}, {me.data.right} in {me.data.repository}.
          </>
        ) : null
      }
    >
      <div className="stack">
        <Members isAdmin={isAdmin} />
        <Tokens />
        <Budgets />
        {isAdmin ? <Records /> : null}
      </div>
    </Page>
  );
}

function Members({ isAdmin }: { isAdmin: boolean }) {
  const people = useOperation('list_people', {});
  return (
    <Card title="People, agents and services">
      <Loaded query={people} what="people">
        {({ people: all }) =>
          all.length === 0 ? (
            <Notice title="Nobody yet">
              Add the first person on the server’s machine: <code>sylk people add NAME --right admin</code>
            </Notice>
          ) : (
            <ul className="rows">
              {all.map((member) => (
                <MemberRow key={member.name} member={member} isAdmin={isAdmin} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdmin ? <AddPerson /> : null}
    </Card>
  );
}

function MemberRow({ member, isAdmin }: { member: Member; isAdmin: boolean }) {
  const change = useAction('change_right');
  const here = member.rights.map(
    ({ repository, right }) => `${right} in ${repository === '*' ? 'all' : repository}`,
  );
  return (
    <li>
      <span className="row-main">
        {member.name}
        <span className="muted">{member.person ? `agent of ${member.person}` : member.kind}</span>
        {change.error ? <Failure error={change.error} /> : null}
      </span>
      {member.ended_at ? (
        <Pill tone="plain">left</Pill>
      ) : (
        <span className="muted">
          {here.join(', ') || (member.person ? `writer where ${member.person} is` : 'no rights')}
        </span>
      )}
      {isAdmin && !member.ended_at ? (
        <select
          aria-label={`Right of ${member.name} here`}
          value=""
          disabled={change.isPending}
          onChange={(event) => {
            const right = levels.find((level) => level === event.target.value);
            if (right) change.mutate({ name: member.name, right });
          }}
        >
          <option value="">Change…</option>
          {levels.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </select>
      ) : null}
    </li>
  );
}

function AddPerson() {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const add = useAction('add_person');
  return (
    <form
      className="answer"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          { name, right: 'reader', ...(email === '' ? {} : { email }) },
          { onSuccess: () => setName('') },
        );
      }}
    >
      <label>
        <span>Name</span>
        <input type="text" value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      <label>
        <span>Email (for a login with your identity provider)</span>
        <input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </label>
      <button type="submit" className="primary" disabled={name === '' || add.isPending}>
        Add as reader
      </button>
      {add.error ? <Failure error={add.error} /> : null}
    </form>
  );
}
