import { showName } from '../../base/terminal-text.ts';
import type { ApprovalReason } from './approval.ts';

const mark = 'APPROVAL_REQUIRED:';
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const kindOf = (reason: ApprovalReason): string =>
  reason.type === 'other' ? reason.kind : reason.type.toUpperCase();

/**
 * The reply of a tool until a person answers: `APPROVAL_REQUIRED:KIND:summary`, with further fields on their own
 * lines, so that the text carries the whole reason.
 */
export function formatApprovalReason(reason: ApprovalReason): string {
  if (reason.type === 'workspace_escape') return `${mark}WORKSPACE_ESCAPE:${JSON.stringify(reason.path)}`;
  return `${mark}${kindOf(reason)}:${oneLine(reason.summary)}\ntitle: ${JSON.stringify(reason.title)}`;
}

/** Also reads the short form `APPROVAL_REQUIRED:<path>`, which always meant a path outside of the workspace. */
export function parseApprovalReason(text: string): ApprovalReason | undefined {
  const at = text.indexOf(mark);
  if (at < 0) return undefined;
  const [first = '', second = ''] = text.slice(at + mark.length).split('\n');
  const [, kind, summary = ''] = /^([A-Z][A-Z0-9_]*):(.*)$/.exec(first) ?? [];
  if (!kind) return first === '' ? undefined : { type: 'workspace_escape', path: first };
  if (kind === 'WORKSPACE_ESCAPE') return { type: 'workspace_escape', path: quoted(summary) };
  const title = quoted(/^title: (.*)$/.exec(second)?.[1] ?? '""');
  if (kind === 'REFERENCE_TOPIC_CREATE') return { type: 'reference_topic_create', title, summary: summary };
  return { type: 'other', kind, title, summary: summary };
}

/** The question that every surface shows. */
export function approvalPrompt(reason: ApprovalReason): string {
  if (reason.type === 'workspace_escape')
    return `Access outside of the workspace: ${showName(reason.path)}? Approve / Deny`;
  const what = reason.type === 'other' ? reason.title : `Create reference topic '${reason.title}'`;
  return `${showName(what)}? ${oneLine(reason.summary)}. Approve / Deny`;
}

function quoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
