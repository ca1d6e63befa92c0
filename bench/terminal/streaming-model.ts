import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { wordsOfStream } from './words.ts';

/** A model on loopback that never stops talking, in the dialects of OpenAI chat and Gemini. */
export async function startStreamingModel(wordsPerSecond: number) {
  let served = 0;
  const server = createServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    const isGemini = path.includes('streamGenerateContent');
    if (request.method !== 'POST' || !(isGemini || path.includes('chat/completions'))) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const text = {
        candidates: [{ content: { role: 'model', parts: [{ text: '{}' }] }, finishReason: 'STOP' }],
      };
      return response.end(JSON.stringify({ ...text, data: [], totalTokens: 10 }));
    }
    served += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    void (async () => {
      const words = wordsOfStream();
      while (!response.destroyed) {
        const text = words.next();
        const said = isGemini
          ? { candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0 }] }
          : {
              id: 'c',
              object: 'chat.completion.chunk',
              model: 'script',
              choices: [{ index: 0, delta: { content: text } }],
            };
        response.write(`data: ${JSON.stringify(said)}\n\n`);
        await wait(1000 / wordsPerSecond);
      }
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    served: () => served,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
