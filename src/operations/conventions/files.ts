import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { defaultReplyTokens, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { belowRoot, editPreview, fileReply } from '../../stores/conventions/index.ts';
import { type Caller, operation } from '../operation.ts';
import { refuseWithheldText } from '../skills/withheld-text.ts';

/** Session names are per caller: the same name from another client is a different reader. Without one, the conversation counts. */
export const readerOf = ({ kind, name, conversation = '' }: Caller, session = conversation): string =>
  `${kind} ${name} ${session}`;

const line = z.coerce.number().int().min(1);

export const getFile = operation({
  name: 'get_file',
  summary:
    'A file from disk, whole or by lines, with its token count. Pass your session to skip text that was already sent to it and did not change.',
  effect: 'read',
  input: z.object({
    path: z.string().describe('relative to the repository root'),
    start_line: line.optional(),
    end_line: line.optional(),
    session: z.string().max(200).optional(),
    resend: looseBoolean.default(false).describe('send it even if this session already has it'),
    max_tokens: pagingInput.max_tokens,
  }),
  output: fileReply,
  examples: [{ path: 'README.md' }, { path: 'README.md', start_line: 1, end_line: 2 }],
  command: { positionals: ['path'] },
  render: (reply) =>
    reply.content === undefined
      ? `${reply.path}: unchanged since ${reply.already_read}. ${reply.note ?? ''}`
      : `${reply.content}${reply.next_start_line ? `\n… lines ${reply.next_start_line}–${reply.total_lines}: start_line ${reply.next_start_line}` : ''}`,
  run: async ({ path: given, start_line, end_line, session, resend, max_tokens }, context) => {
    const { app, caller } = context;
    const path = belowRoot(app.repository.root, given);
    await refuseWithheldText(path, context);
    return (await app.conventions()).files.get({
      path,
      startLine: start_line,
      endLine: end_line,
      session: readerOf(caller, session),
      // Every read is recorded; only who names a session has kept the text.
      resend: resend || session === undefined,
      maxTokens: max_tokens ?? defaultReplyTokens,
    });
  },
});

export const listReadFiles = operation({
  name: 'list_read_files',
  summary: 'Which files and lines get_file has sent to a session; to your conversation when omitted.',
  effect: 'read',
  input: z.object({ session: z.string().min(1).max(200).optional(), ...pagingInput }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        start_line: z.number(),
        end_line: z.number(),
        hash: z.string(),
        read_at: z.string(),
        times: z.number(),
      }),
    ),
    ...pagingOutput,
  }),
  examples: [{ session: 'example' }, {}],
  command: { positionals: ['session'] },
  run: async ({ session, ...request }, { app, caller }) => {
    const all = (await app.conventions()).files.readBy(readerOf(caller, session));
    const { items, ...rest } = await pageOf(all, request);
    return { files: items, ...rest };
  },
});

export const previewEdit = operation({
  name: 'preview_edit',
  summary:
    'Preview of a text replacement in a file: diff, number of matches, warnings. Use BEFORE you edit; nothing is written.',
  effect: 'read',
  input: z.object({
    path: z.string().describe('file to edit'),
    old_string: z.string().describe('text to replace'),
    new_string: z.string().describe('replacement'),
    replace_all: looseBoolean.default(false).describe('replace all matches instead of the first'),
  }),
  output: editPreview,
  examples: [{ path: 'README.md', old_string: '# ', new_string: '## ' }],
  render: (preview) =>
    preview.found
      ? [preview.diff ?? '', ...preview.warnings.map((warning) => `warning: ${warning}`)].join('\n').trim()
      : `${preview.error}\n${preview.suggestion}`,
  run: async ({ path: given, old_string, new_string, replace_all }, context) => {
    const path = belowRoot(context.app.repository.root, given);
    await refuseWithheldText(path, context);
    return (await context.app.conventions()).files.preview({
      path,
      oldString: old_string,
      newString: new_string,
      replaceAll: replace_all,
    });
  },
});
