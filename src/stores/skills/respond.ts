import { errorTable, reportOf } from '../../base/errors.ts';
import type { SkillEngine } from './engine.ts';
import type { SkillDescriptor, SkillDocument } from './skill.ts';

export interface SkillsRequest {
  /** Relative to the API root and still encoded: `/skills`, `/skills/{id}`, `/skill-collections`. */
  path: string;
  query?: { collection?: string | undefined; query?: string | undefined };
}

export interface SkillsResponse {
  status: number;
  json: unknown;
}

/** The three read-only endpoints that an http source of another Sylk reads. No framework: a request in, a response out. */
export async function respondToSkills(
  engine: SkillEngine,
  { path, query = {} }: SkillsRequest,
): Promise<SkillsResponse> {
  try {
    if (path === '/skills') {
      const skills = await engine.usableSkills({
        collection: query.collection || undefined,
        query: query.query || undefined,
      });
      return { status: 200, json: { skills: skills.map(wire) } };
    }
    if (path === '/skill-collections')
      return { status: 200, json: { collections: await engine.collections() } };
    const id = /^\/skills\/([^/]+)$/.exec(path)?.[1];
    if (!id) return failure(404, 'NOT_FOUND', 'Unknown endpoint.');
    const document = await engine.loadUsable(decode(id));
    return {
      status: 200,
      json: { ...wire(document.descriptor), body: document.body, extensions: extensionsOf(document) },
    };
  } catch (error) {
    const report = reportOf(error);
    return failure(errorTable[report.code].http, report.code, report.message);
  }
}

const wire = ({ id, name, description, scope, requires_capabilities, metadata }: SkillDescriptor) => ({
  id,
  name,
  description,
  scope,
  requires_capabilities: requires_capabilities.length > 0 ? requires_capabilities : undefined,
  metadata,
});

const extensionsOf = ({ extensions }: SkillDocument) =>
  Object.keys(extensions).length > 0 ? extensions : undefined;

const failure = (status: number, code: string, message: string): SkillsResponse => ({
  status,
  json: { error: { code, message } },
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
