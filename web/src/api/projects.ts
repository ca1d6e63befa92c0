import { useOperation } from './use.ts';

export interface Project {
  id: string;
  name: string;
}

/** Areas belong to a project. Undefined until it is known whether there is one. */
export function useProjects(): { projects: Project[] | undefined; error: Error | null } {
  const found = useOperation('list_work', { type: 'project', limit: 50 });
  const projects = found.data?.data?.items?.flatMap((item) =>
    'name' in item ? [{ id: item.id, name: item.name }] : [],
  );
  return { projects: found.data ? (projects ?? []) : undefined, error: found.error };
}
