import { appendFileSync } from 'node:fs';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import { createCodeSource } from '../../src/engines/recall/code-source.ts';
import { createEmbeddingQueue } from '../../src/engines/recall/queue.ts';
import { createRecall } from '../../src/engines/recall/recall.ts';
import { openPassages } from '../../src/stores/passages/index.ts';

/** Embeds made-up files, writes down each text before its vector is kept, and kills itself after `limit` texts. */
const [directory = '', log = '', limit = '0'] = process.argv.slice(2);
const files = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [`src/f${at}.ts`, `const number${at} = ${at};\n`]),
);
const sqlite = openSqlite(`${directory}/index.db`, { durability: 'normal' });
const passages = openPassages(() => sqlite);
let seen = 0;
const recall = createRecall({
  passages,
  meaning: {
    sqlite: () => sqlite,
    directory,
    longLived: false,
    model: {
      fingerprint: 'fake/1/8',
      dimensions: 8,
      tier: 1,
      loaded: () => false,
      release: async () => {},
      embed: async (texts) => {
        for (const text of texts) appendFileSync(log, `${JSON.stringify(text)}\n`);
        seen += texts.length;
        if (Number(limit) > 0 && seen > Number(limit)) process.kill(process.pid, 'SIGKILL');
        return texts.map((text) => Float32Array.from({ length: 8 }, (_, at) => Math.sin(text.length + at)));
      },
    },
  },
});
recall.register(
  createCodeSource({
    files: () => Object.keys(files).map((owner) => ({ owner, hash: owner })),
    read: (path) => files[path],
    spans: () => [],
    freshness: () => ({ state: 'fresh' }),
  }),
);
await recall.refreshAll();
const end = await createEmbeddingQueue({
  passages,
  meaning: recall.meaning,
  sources: () => recall.parts.sources,
}).run();
console.log(JSON.stringify({ ...end, vectors: recall.meaning.space('code').state().count }));
