import { useQueries } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { type Project, useProjects } from '../api/projects.ts';
import { AreaKnowledge } from '../components/area-knowledge.tsx';
import { Card, Failure, Loading, Notice } from '../components/states.tsx';

/** What the areas of every project know about a file. */
export function AreasOf({ path }: { path: string }) {
  const { projects, error } = useProjects();
  return (
    <Card title="Areas of this file">
      {error ? <Failure error={error} /> : null}
      {projects ? <Known path={path} projects={projects} /> : error ? null : <Loading what="areas" />}
    </Card>
  );
}

function Known({ path, projects }: { path: string; projects: Project[] }) {
  const asked = useQueries({
    queries: projects.map(({ id }) => ({
      queryKey: ['get_area_context', path, id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call('get_area_context', { paths: [path], project_id: id }, signal),
    })),
  });
  const error = asked.find((one) => one.error)?.error;
  if (error) return <Failure error={error} />;
  if (asked.some((one) => one.isLoading)) return <Loading what="areas" />;
  const atoms = asked.flatMap(({ data: reply }) => [
    ...(reply?.data?.molecules.flatMap((molecule) => molecule.atoms) ?? []),
    ...(reply?.data?.orphanAtoms ?? []),
  ]);
  if (atoms.length === 0)
    return (
      <Notice title="No area covers this file">Areas are notes on a part of the tree, kept beside it.</Notice>
    );
  return atoms.map((atom) => <AreaKnowledge key={atom.id} atom={atom} />);
}
