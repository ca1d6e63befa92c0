import { SylkError } from '../../base/errors.ts';
import type { Library } from '../../base/library/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { Author, Work } from '../../stores/work/index.ts';

export interface ProjectParts {
  library: Library;
  work: Work;
  areas: Areas;
  /** Id or name from the configuration; '' when none is set. */
  defaultProject: string;
}

/** The project of a call: the given one, the configured one, or the only one. */
export async function projectOrDefault(parts: ProjectParts, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (parts.defaultProject !== '') {
    const id =
      (await parts.work.findContainer(parts.defaultProject, 'project'))?.id ??
      (await parts.work.resolveContainer(parts.defaultProject, 'project'));
    if (id) return id;
    throw new SylkError(
      'NOT_FOUND',
      `work.default_project names ${JSON.stringify(parts.defaultProject)}, which does not exist.`,
      {
        hint: 'Create it with `sylk work save --type project`, or fix .sylk/config.yaml.',
      },
    );
  }
  const { items, total } = await parts.work.searchContainers({ kind: 'project', limit: 10, offset: 0 });
  if (items[0] && total === 1) return items[0].id;
  throw new SylkError('VALIDATION_ERROR', total === 0 ? 'No projects yet.' : `There are ${total} projects.`, {
    hint:
      total === 0
        ? 'Create one with a name and a summary: `sylk work save --type project`.'
        : `Give projectId, or set work.default_project: ${items.map((item) => item.id).join(', ')}.`,
  });
}

/** A repository starts with one project. If there is one already, that is used; if there are several, none is chosen. */
export async function firstProject(
  work: Work,
  by: Author,
  name: string,
): Promise<{ id: string; name: string; made: boolean } | undefined> {
  const { items, total } = await work.searchContainers({ kind: 'project', limit: 1, offset: 0 });
  const [known] = items;
  if (total > 1) return undefined;
  if (known) return { id: known.id, name: 'name' in known ? known.name : '', made: false };
  const { id } = await work.createContainer(by, { kind: 'project', name, summary: `Work on ${name}.` });
  return { id, name, made: true };
}

/** Deletes a container; deleting a project also deletes its areas, in the same transaction. */
export async function removeWithAreas(
  parts: ProjectParts,
  by: Author,
  request: {
    kind: 'project' | 'feature' | 'task';
    id: string;
    version?: number | undefined;
    cascade: boolean;
  },
) {
  if (request.kind !== 'project') return parts.work.removeContainer(by, request);
  return parts.library.write(async () => {
    const known = await parts.areas.countAreas(request.id);
    if (
      !request.cascade &&
      known.atoms + known.molecules > 0 &&
      (await parts.work.findContainer(request.id, 'project'))
    )
      throw new SylkError(
        'INVALID_OPERATION',
        `The project has ${known.molecules} molecule(s) and ${known.atoms} atom(s).`,
        { hint: 'Pass cascade: true to delete them, too. Nothing was deleted.', data: known },
      );
    const reply = await parts.work.removeContainer(by, request);
    const gone = await parts.areas.removeProjectAreas(by, request.id);
    return { ...reply, deleted: { ...reply.deleted, ...gone } };
  });
}
