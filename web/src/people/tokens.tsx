import { useState } from 'react';
import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Pill, Time } from '../components/states.tsx';

/** One's own tokens, and everybody's for an admin of the team. The token itself is shown once, when it is made. */
export function Tokens() {
  const tokens = useOperation('list_tokens', {});
  const revoke = useAction('revoke_token');
  return (
    <Card title="Tokens">
      <Loaded query={tokens} what="tokens">
        {({ tokens: all }) => {
          const inForce = all.filter(({ revoked_at }) => revoked_at === undefined);
          if (inForce.length === 0)
            return (
              <p className="muted">
                No tokens. Make one here for a laptop, or run <code>sylk people token NAME</code> on the
                server.
              </p>
            );
          return (
            <ul className="rows">
              {inForce.map((token) => (
                <li key={token.id}>
                  <span className="row-main">
                    {token.label} of {token.member}
                    <span className="muted">
                      {[
                        token.right ? `at most ${token.right}` : '',
                        token.repositories ? `in ${token.repositories.join(', ')}` : '',
                        token.operations ? `for ${token.operations.join(', ')}` : '',
                      ]
                        .filter(Boolean)
                        .join('; ')}
                    </span>
                  </span>
                  {token.last_used_at ? (
                    <span className="muted">
                      used <Time at={token.last_used_at} />
                    </span>
                  ) : (
                    <Pill tone="plain">never used</Pill>
                  )}
                  <span className="muted">
                    ends <Time at={token.expires_at} />
                  </span>
                  <button
                    type="button"
                    disabled={revoke.isPending}
                    onClick={() => revoke.mutate({ id: token.id })}
                  >
                    End<span className="hidden"> token {token.id}</span>
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      {revoke.error ? <Failure error={revoke.error} /> : null}
      <NewToken />
    </Card>
  );
}

function NewToken() {
  const [label, setLabel] = useState('');
  const make = useAction('create_token');
  return (
    <form
      className="answer"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate({ label });
      }}
    >
      <label>
        <span>Where it is used</span>
        <input
          type="text"
          value={label}
          placeholder="laptop"
          onChange={(event) => setLabel(event.target.value)}
        />
      </label>
      <button type="submit" disabled={label === '' || make.isPending}>
        Make a token
      </button>
      {make.data ? (
        <p role="status">
          <code className="path">{make.data.token}</code> It is not shown again.
        </p>
      ) : null}
      {make.error ? <Failure error={make.error} /> : null}
    </form>
  );
}
