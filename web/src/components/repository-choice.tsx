import { useQuery } from '@tanstack/react-query';
import { chooseRepository, chosenRepository, send } from '../api/client.ts';

interface Served {
  repositories: Array<{ name: string; root: string }>;
}

/** The repositories of this server, where it has several: `sylk up ONE OTHER`. */
export function RepositoryChoice() {
  const served = useQuery({
    queryKey: ['repositories'],
    queryFn: ({ signal }) => send<Served>('/api/repositories', { method: 'GET', signal }),
    staleTime: 60_000,
  });
  const all = served.data?.repositories ?? [];
  if (all.length < 2) return null;
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
      </select>
    </div>
  );
}
