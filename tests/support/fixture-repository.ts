import { type TestRepository, testRepository } from './repository.ts';

/** A small project with a story: what the examples of operations are about. */
export function fixtureRepository(at?: string): TestRepository {
  const repository = at ? testRepository([], at) : testRepository();
  repository.commit('chore: start the project', {
    'README.md': '# Shop\n\nA small shop with sessions and rate limits.\n\n## Start\n\nRun `npm start`.\n',
    'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', scripts: { test: 'vitest run', lint: 'biome check .' }, dependencies: { zod: '^4.0.0' }, devDependencies: { vitest: '^4.0.0', '@biomejs/biome': '^2.0.0' } }, null, 2)}\n`,
    'src/index.ts':
      "import { login } from './auth/session.ts';\n\nexport function start(): string {\n  return login('guest');\n}\n",
    'src/auth/session.ts':
      'export interface Session {\n  user: string;\n}\n\n/** Opens a session for a user. */\nexport function login(user: string): string {\n  return `session of ${user}`;\n}\n',
  });
  repository.commit(
    'feat(auth): add rate limiting\n\nEach user may log in ten times a minute, because a script tried\nevery password.\n\ntags: auth, rate-limiting',
    {
      'src/auth/rate-limit.ts':
        'const attempts = new Map<string, number>();\n\nexport function allow(user: string, limit = 10): boolean {\n  const count = (attempts.get(user) ?? 0) + 1;\n  attempts.set(user, count);\n  return count <= limit;\n}\n',
      'src/auth/session.ts':
        "import { allow } from './rate-limit.ts';\n\nexport interface Session {\n  user: string;\n}\n\n/** Opens a session for a user. */\nexport function login(user: string): string {\n  if (!allow(user)) throw new Error('too many attempts');\n  return `session of ${user}`;\n}\n",
    },
  );
  repository.commit(
    'fix(auth): forget attempts after a minute\n\nA user who waited was still locked out.\n\ntags: +session, -rate-limiting',
    {
      'src/auth/rate-limit.ts':
        'const attempts = new Map<string, { count: number; since: number }>();\n\nexport function allow(user: string, limit = 10, now = Date.now()): boolean {\n  const entry = attempts.get(user);\n  const fresh = !entry || now - entry.since > 60_000;\n  const next = fresh ? { count: 1, since: now } : { ...entry, count: entry.count + 1 };\n  attempts.set(user, next);\n  return next.count <= limit;\n}\n',
      'src/auth/session.ts':
        "import { allow } from './rate-limit.ts';\n\nexport interface Session {\n  user: string;\n}\n\n/** Opens a session for a user. */\nexport function login(user: string): string {\n  if (!allow(user, 10)) throw new Error('too many attempts');\n  return `session of ${user}`;\n}\n",
    },
  );
  repository.commit('docs: say how to start', {
    'docs/start.md': '# Start\n\nInstall, then run `npm start`. See src/index.ts.\n',
  });
  return repository;
}
