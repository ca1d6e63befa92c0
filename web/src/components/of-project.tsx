import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { type Project, useProjects } from '../api/projects.ts';
import { Failure, Loading } from './states.tsx';

/** What belongs to one project: the one in the address, else `first`, else the first there is. Several are chosen from. */
export function OfProject(props: {
  what: string;
  none: ReactNode;
  first?: string | undefined;
  children: (project: Project) => ReactNode;
}) {
  const [params, setParams] = useSearchParams();
  const { projects, error } = useProjects();
  if (error) return <Failure error={error} />;
  if (!projects) return <Loading what={props.what} />;
  const wanted = params.get('project') ?? props.first;
  const project = projects.find(({ id }) => id === wanted) ?? projects[0];
  if (!project) return props.none;
  return (
    <>
      {projects.length > 1 ? (
        <div className="toolbar fields">
          <label>
            <span>Project</span>
            <select
              value={project.id}
              onChange={(event) => {
                const next = new URLSearchParams(params);
                next.set('project', event.target.value);
                next.delete('id');
                setParams(next);
              }}
            >
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </div>
      ) : null}
      {props.children(project)}
    </>
  );
}
