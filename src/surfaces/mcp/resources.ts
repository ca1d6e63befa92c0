import { operationNames } from '../../operations/list.ts';

/** A resource is an operation behind a URI. Only those whose operation exists are offered. */
interface ResourceEntry {
  uri: string;
  name: string;
  description: string;
  operation: string;
  input: Record<string, unknown>;
}

interface TemplateEntry {
  uriTemplate: string;
  name: string;
  description: string;
  operation: string;
  /** Input field that receives the variable part of the URI. */
  field: string;
}

const entries: ResourceEntry[] = [
  {
    uri: 'sylk://status',
    name: 'status',
    description: 'The repository and how fresh its index is',
    operation: 'get_status',
    input: {},
  },
  {
    uri: 'sylk://summary',
    name: 'summary',
    description: 'Overview of the repository',
    operation: 'get_repository_summary',
    input: {},
  },
  {
    uri: 'sylk://briefing',
    name: 'briefing',
    description: 'Decisions, failures, and where the work stopped',
    operation: 'get_briefing',
    input: {},
  },
  {
    uri: 'sylk://references/recent',
    name: 'recent references',
    description: 'The most recent reference topics',
    operation: 'reference_topic_list',
    input: { list: 'recent' },
  },
  {
    uri: 'sylk://skills',
    name: 'skills',
    description: 'Skills that can be loaded',
    operation: 'browse_skills',
    input: {},
  },
];

const templateEntries: TemplateEntry[] = [
  {
    uriTemplate: 'sylk://artifact/{+path}',
    name: 'artifact',
    description: 'A file with its history',
    operation: 'get_artifact',
    field: 'path',
  },
  {
    uriTemplate: 'sylk://provenance/{+path}',
    name: 'provenance',
    description: 'History of a file',
    operation: 'get_provenance',
    field: 'path',
  },
  {
    uriTemplate: 'sylk://skill/{+id}',
    name: 'skill',
    description: 'A skill document',
    operation: 'load_skill',
    field: 'id',
  },
];

export const resources = (): ResourceEntry[] =>
  entries.filter((entry) => operationNames().includes(entry.operation));
export const resourceTemplates = (): TemplateEntry[] =>
  templateEntries.filter((entry) => operationNames().includes(entry.operation));

/** The operation behind a URI. */
export function resolveResource(
  uri: string,
): { operation: string; input: Record<string, unknown> } | undefined {
  const fixed = resources().find((entry) => entry.uri === uri);
  if (fixed) return { operation: fixed.operation, input: fixed.input };
  for (const template of resourceTemplates()) {
    const lead = template.uriTemplate.slice(0, template.uriTemplate.indexOf('{'));
    if (uri.startsWith(lead) && uri.length > lead.length) {
      return { operation: template.operation, input: { [template.field]: decode(uri.slice(lead.length)) } };
    }
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
