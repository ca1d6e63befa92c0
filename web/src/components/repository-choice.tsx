import { useQuery } from '@tanstack/react-query';
import { chooseRepository, chosenRepository, send } from '../api/client.ts';

interface Served {
  repositories: Array<{ name: string; root: string }>;
  others: Array<{ name: string; root: string }>;
  /** Whether several people share this server. */
  team: boolean;
}

export const useServed = () =>
  useQuery({
    queryKey: ['repositories'],
    queryFn: ({ signal }) => send<Served>('/api/repositories', { method: 'GET', signal }),
    staleTime: 60_000,
  });

/** The repositories of this server, and the others of this machine that the person has used Sylk in. */
export function RepositoryChoice() {
  const served = useServed();
  const all = served.data?.repositories ?? [];
  const others = served.data?.others ?? [];
  if (all.length + others.length < 2) return null;
  return (
    <div className="theme">
      <span aria-hidden="true">Repository</span>
      <select
        aria-label="Repository"
        value={chosenRepository() ?? all[0]?.name}
        onChange={(event) => chooseRepository(event.target.value)}
      >
        {all.map(({ name, root }) => (
          <option key={name} value={name} title={root}>
            {name}
          </option>
        ))}
        {others.length > 0 ? (
          <optgroup label="On this machine">
            {others.map(({ name, root }) => (
              <option key={root} value={root} title={root}>
                {others.some((other) => other.name === name && other.root !== root) ? root : name}
              </option>
            ))}
          </optgroup>
        ) : null}
      </select>
    </div>
  );
}
