import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Conversation } from './memory.ts';
import { conversations } from './memory.ts';
import { temporaryDirectory } from './temporary.ts';

const jwt = `import { verify } from 'jsonwebtoken';

/** Checks the signature and the expiry of a bearer token. */
export function validateToken(token: string, key: string): string {
  const claims = verify(token, key, { algorithms: ['RS256'] });
  return String(claims.sub);
}

export function issueToken(user: string): string {
  return user;
}
`;

/** A project with authentication, and several callers on it whose time is ours. */
export function authWorld() {
  const world = conversations();
  world.repository.commit('feat(auth): bearer tokens', {
    'package.json': '{ "name": "shop", "dependencies": { "jsonwebtoken": "9.0.0" } }\n',
    'src/auth/jwt.ts': jwt,
    'src/auth/middleware.ts':
      "import { validateToken } from './jwt.ts';\n\n/** Chain of authentication middleware: each step may refuse the request. */\nexport function authenticate(header: string, key: string): string {\n  return validateToken(header.replace('Bearer ', ''), key);\n}\n",
    'src/shop/cart.ts':
      'export function total(prices: number[]): number {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n',
  });
  return world;
}

/** A reference topic from files on this machine, permitted at once. Answers its ref. */
export async function addTopic(
  { app }: Conversation,
  topic: {
    title: string;
    body: string;
    kind?: 'documentation' | 'rfc' | 'best_practice' | 'blog_post';
    library?: string;
    tags?: string[];
  },
): Promise<string> {
  const directory = temporaryDirectory('topic');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'text.md'), `# ${topic.title}\n\n${topic.body}\n`);
  const made = await (await app.references()).create({
    draft: {
      title: topic.title,
      body: topic.body,
      tags: topic.tags ?? [],
      max_age_days: 0,
      trust_score: 8,
      kind: topic.kind ?? 'documentation',
      sources: [{ type: 'local', path: directory }],
      ...(topic.library ? { library: topic.library } : {}),
    },
    author: { agent: 'ada', model: '' },
    answered: true,
    permit: async () => ({ done: async () => {}, release: async () => {} }),
  });
  return `topic:${made.topic_id}`;
}

export const remember = async (
  caller: Conversation,
  entry: Record<string, unknown>,
): Promise<{ ref: string; edges: number }> => {
  const { node_id, edges } = await caller.call<{ node_id: string; edges: number }>('store_entry', entry);
  return { ref: `entry:${node_id}`, edges };
};
