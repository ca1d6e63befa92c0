import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { startSylk } from './sylk.ts';

/** An editor that drives `sylk acp` through the client of the protocol's own library. */
export async function openEditor(
  cwd: string,
  args: string[],
  env: Record<string, string>,
  { choose = () => 'allow_once' }: { choose?: (title: string) => acp.PermissionOptionKind } = {},
) {
  const child = startSylk(cwd, ['acp', ...args], env);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const updates: acp.SessionUpdate[] = [];
  const asked: string[] = [];
  const watchers = new Set<() => void>();
  const connection = acp
    .client({ name: 'test editor' })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      for (const watch of watchers) watch();
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params }) => {
      const title = params.toolCall.title ?? '';
      asked.push(title);
      const wanted = choose(title);
      const option = params.options.find(({ kind }) => kind === wanted);
      return { outcome: { outcome: 'selected', optionId: option?.optionId ?? '' } };
    })
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const { agent } = connection;
  const info = await agent.request(acp.methods.agent.initialize, {
    protocolVersion: acp.PROTOCOL_VERSION,
    clientInfo: { name: 'test editor', version: '1' },
    clientCapabilities: {},
  });
  return {
    agent,
    info,
    updates,
    asked,
    errors: () => errors,
    open: () => agent.request(acp.methods.agent.session.new, { cwd, mcpServers: [] }),
    prompt: (sessionId: string, text: string) =>
      agent.request(acp.methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    cancel: (sessionId: string) => agent.notify(acp.methods.agent.session.cancel, { sessionId }),
    setMode: (sessionId: string, modeId: string) =>
      agent.request(acp.methods.agent.session.setMode, { sessionId, modeId }),
    /** Resolves with the first update, past or to come, that fits. */
    until: (fits: (update: acp.SessionUpdate) => boolean) =>
      new Promise<acp.SessionUpdate>((resolve) => {
        const look = () => {
          const found = updates.find(fits);
          if (!found) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    said: () =>
      updates
        .map((update) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    close: () =>
      new Promise<number | null>((resolve) => {
        child.on('exit', resolve);
        child.stdin.end();
      }),
  };
}
