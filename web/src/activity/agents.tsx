import { useAction, useOperation } from '../api/use.ts';
import { Card, Failure, Loaded, Pill, Time, type Tone } from '../components/states.tsx';
import { count } from '../format.ts';

const tones: Record<string, Tone> = {
  healthy: 'good',
  idle: 'plain',
  degraded: 'warn',
  stuck: 'bad',
  open: 'bad',
};

/** Who listens on the bus and how they do. */
export function Agents() {
  const health = useOperation('guide_health', {}, { everyMs: 5_000 });
  return (
    <Card title="Agents">
      <Loaded query={health} what="the agents">
        {({ agents }) =>
          agents.length === 0 ? (
            <p className="muted">No agent is listening yet.</p>
          ) : (
            <ul className="rows">
              {agents.map((agent) => (
                <li key={agent.agent + (agent.session ?? '')}>
                  <span className="row-main">
                    <strong>{agent.agent}</strong>
                    <span className="muted">
                      {agent.done} done, {agent.failed} failed, {agent.queued} waiting
                      {agent.last_error ? ` · ${agent.last_error}` : ''}
                    </span>
                  </span>
                  <Pill tone={tones[agent.state] ?? 'plain'}>{agent.state}</Pill>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

/** Messages that could not be delivered, and the way to try again. */
export function DeadLetters() {
  const letters = useOperation('list_dead_letters', {}, { everyMs: 5_000 });
  const replay = useAction('replay_dead_letter');
  return (
    <Card title="Dead letters">
      {replay.error ? <Failure error={replay.error} /> : null}
      <Loaded query={letters} what="dead letters">
        {({ messages, total }) =>
          messages.length === 0 ? (
            <p className="muted">Messages that could not be delivered appear here. There are none.</p>
          ) : (
            <>
              <ul className="rows">
                {messages.map((message) => (
                  <li key={message.id}>
                    <span className="row-main">
                      <strong>{message.type}</strong>
                      <span className="muted">
                        {message.source} → {message.target} <Time at={message.timestamp} />
                      </span>
                    </span>
                    <button
                      type="button"
                      disabled={replay.isPending}
                      onClick={() => replay.mutate({ id: message.id })}
                    >
                      Send again<span className="hidden"> {message.type}</span>
                    </button>
                  </li>
                ))}
              </ul>
              <p className="muted">{count(total, 'dead letter')}</p>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
