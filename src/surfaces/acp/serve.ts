import { Readable, Writable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import * as acp from '@agentclientprotocol/sdk';
import { version } from '../../version.ts';
import type { Workspace } from '../shared/workspace.ts';
import { createConversations } from './conversations.ts';

const { agent: ofAgent } = acp.methods;

/** Serves until the editor closes standard input. Only frames of the protocol are written to standard output. */
export async function serveAcp({ workspace, work }: { workspace: Workspace; work: string[] }): Promise<void> {
  const quiet = (...words: unknown[]) => process.stderr.write(`${words.map(String).join(' ')}\n`);
  console.log = quiet;
  console.info = quiet;
  console.debug = quiet;
  const conversations = createConversations(workspace, work);
  const input: ReadableStream<Uint8Array> = Readable.toWeb(process.stdin);
  const connection = acp
    .agent({ name: 'sylk' })
    .onRequest(ofAgent.initialize, ({ params }) => {
      conversations.greet(params.clientInfo?.name ?? 'editor');
      return {
        protocolVersion: acp.PROTOCOL_VERSION,
        agentInfo: { name: 'sylk', title: 'Sylk', version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { embeddedContext: true },
          sessionCapabilities: { list: {}, resume: {} },
        },
        authMethods: [],
      };
    })
    .onRequest(ofAgent.session.new, ({ params }) => conversations.open(params.cwd))
    .onRequest(ofAgent.session.list, ({ params }) => conversations.list(params.cwd ?? undefined))
    .onRequest(ofAgent.session.load, ({ params, client }) => conversations.load(params, client))
    .onRequest(ofAgent.session.resume, ({ params }) => conversations.resume(params))
    .onRequest(ofAgent.session.setMode, ({ params }) =>
      conversations.setMode(params.sessionId, params.modeId),
    )
    .onNotification(ofAgent.session.cancel, ({ params }) => conversations.cancel(params.sessionId))
    .onRequest(ofAgent.session.prompt, ({ params, client }) => conversations.prompt(params, client))
    .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), input));
  await connection.closed;
  await conversations.end();
}
