import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openSession, send } from '../api/client.ts';
import { Failure, Notice } from '../components/states.tsx';

/** For a team: a name and a password, or its identity provider. For one person: the link of the terminal. */
export function Login() {
  const ways = useQuery({
    queryKey: ['login'],
    queryFn: ({ signal }) => send<{ ways: string[] }>('/api/login', { method: 'GET', signal }),
  });
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const failed = new URLSearchParams(location.hash.slice(1)).get('login_failed');
  const login = useMutation({
    mutationFn: async () => {
      const { code } = await send<{ code: string }>('/api/login', { input: { name, password } });
      await openSession(code);
      location.assign('/');
    },
  });
  const offered = ways.data?.ways ?? [];
  return (
    <main className="alone">
      <div className="stack">
        {failed ? <Notice title="You are not logged in">{failed}</Notice> : null}
        {offered.includes('password') ? (
          <form
            className="answer"
            onSubmit={(event) => {
              event.preventDefault();
              login.mutate();
            }}
          >
            <label>
              <span>Name</span>
              <input
                type="text"
                autoComplete="username"
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            </label>
            <label>
              <span>Password</span>
              <input
                type="password"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </label>
            <button
              type="submit"
              className="primary"
              disabled={login.isPending || name === '' || password === ''}
            >
              Log in
            </button>
            {login.error ? <Failure error={login.error} /> : null}
          </form>
        ) : null}
        {offered.includes('oidc') ? (
          <p>
            <a href="/login/oidc">Log in with your identity provider</a>
          </p>
        ) : null}
        <Notice title="Open Sylk from your terminal">
          This page needs the link that <code>sylk up --link</code> prints. The link works once.
        </Notice>
      </div>
    </main>
  );
}
