import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../api/client.ts';
import { Card, Failure, Loaded, Time } from '../components/states.tsx';

interface OpenSession {
  id: string;
  browser: string;
  opened_at: string;
  expires_at: string;
  this_one: boolean;
}

/** Browsers that are signed in as the person. */
export function OpenSessions() {
  const client = useQueryClient();
  const sessions = useQuery({
    queryKey: ['open sessions'],
    queryFn: ({ signal }) => send<{ sessions: OpenSession[] }>('/api/sessions', { method: 'GET', signal }),
  });
  const end = useMutation({
    mutationFn: (id: string) => send<{ ended: boolean }>(`/api/sessions/${id}`, { method: 'DELETE' }),
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Card title="Signed-in browsers">
      <Loaded query={sessions} what="sessions">
        {({ sessions: open }) => (
          <ul className="rows">
            {open.map((session) => (
              <li key={session.id}>
                <span className="row-main">
                  {session.this_one ? 'This browser' : session.browser}
                  <span className="muted">
                    since <Time at={session.opened_at} />
                  </span>
                </span>
                <button type="button" disabled={end.isPending} onClick={() => end.mutate(session.id)}>
                  End<span className="hidden"> session of {session.opened_at}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {end.error ? <Failure error={end.error} /> : null}
    </Card>
  );
}
