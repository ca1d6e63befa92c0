import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { App } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { testRepository } from '../support/repository.ts';

const hostile = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';

export interface Dashboard {
  url: string;
  app: App;
  /** Makes a change as an agent on another surface would. */
  run(name: string, input: object, kind?: 'agent' | 'person'): Promise<unknown>;
  /** A signed-in page of its own at an address of the dashboard. */
  open(address: string, options?: { theme: 'light' | 'dark' }): Promise<Page>;
  /** Requests that left this machine, and dialogs that opened, in any page so far. */
  escaped: string[];
  /** Records what a check found against an entry. */
  doubt(ref: string, detail: string): Promise<void>;
  /** Tells something on the event stream, as the product does. */
  publish(type: string, data: unknown): void;
  /** Cuts every open event stream. */
  dropStreams(): void;
  stopServer(): Promise<void>;
  close(): Promise<void>;
}

/** A real server, on a repository with a story, some of it hostile, or on one without a commit, and a real browser. */
export async function startDashboard({
  empty = false,
  besides = {} as Record<string, string>,
} = {}): Promise<Dashboard> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-web-'));
  const path = join(directory, 'shop');
  if (empty) testRepository([], path);
  else tellStory(path);
  const others = Object.entries(besides).map(([name, subject]) => {
    const other = testRepository([], join(directory, name));
    other.commit(subject, { 'README.md': `# ${name}\n` });
    return other.path;
  });
  const workspace = createWorkspace({ directories: [path, ...others], env: process.env, flags: [] });
  const server = await serveHttp({
    workspace,
    selection: { toolsets: ['all'], allow: [], deny: [], readOnly: false },
    port: 0,
  });
  const run = async (name: string, input: object, kind: 'agent' | 'person' = 'agent') => {
    const outcome = await runOperation(workspace.app(), {
      name,
      input,
      caller: { kind, name: 'ada' },
    });
    return outcome.ok ? outcome.output : outcome.error;
  };
  const streams = new Set<Socket>();
  const seen = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    if (/^\/api\/(?:events|watch_run)/.test(request.url ?? '')) streams.add(socket);
  };
  subscribe('http.server.request.start', seen);
  const browser: Browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const escaped: string[] = [];
  const contexts: BrowserContext[] = [];
  let serving = true;
  const stopServer = async () => {
    if (serving) await server.close();
    serving = false;
  };
  await run('index_repository', {});
  return {
    url: server.url,
    app: workspace.app(),
    run,
    escaped,
    doubt: async (ref, detail) => {
      const contradictions = [{ claim: 'Everybody may log in', detail, ref: 'file:src/auth/session.ts' }];
      const found = {
        verification: 'none' as const,
        confidence: 0.4,
        needsReview: true,
        warnings: [],
        contradictions,
      };
      await (await workspace.app().graph()).recordVerification(ref, found);
    },
    publish: (type, data) => workspace.app().events.publish(type, data),
    dropStreams: () => {
      for (const socket of streams) socket.destroy();
      streams.clear();
    },
    stopServer,
    open: async (address, { theme } = { theme: 'light' }) => {
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      context.setDefaultTimeout(60_000);
      contexts.push(context);
      const page = await context.newPage();
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) escaped.push(request.url());
      });
      page.on('dialog', (dialog) => {
        escaped.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) escaped.push(message.text());
      });
      await page.goto(server.link());
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      if (address !== '/') await page.goto(server.url + address);
      return page;
    },
    close: async () => {
      for (const context of contexts) await context.close();
      await browser.close();
      unsubscribe('http.server.request.start', seen);
      await stopServer();
      await workspace.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A repository with a story, some of it hostile. */
function tellStory(path: string): void {
  const repository = fixtureRepository(path);
  repository.commit(`docs: ${hostile}`, {
    'docs/<img src=x onerror=alert(1)>.md': `# ${hostile}\n\n[run](javascript:alert(1)) ![far](https://far.example/x.png)\n`,
    'src/hostile.ts': `// ${hostile}\nconst a = '\u202ereversed\u202c';\nconst b = '\u001b[31mred';\n`,
    'src/huge.ts': `export const big = '${'x'.repeat(400_000)}';\n`,
  });
  const skill = (name: string) =>
    `---\nname: ${name}\ndescription: About ${name}. ${hostile}\n---\n\nDo it.\n`;
  repository.write('.sylk/skills/extraction/email/SKILL.md', skill('email'));
  repository.write('.sylk/skills/work-planning/SKILL.md', skill('work-planning'));
}

/** Something of every kind, with text that tries to become markup. */
export async function furnish(dashboard: Dashboard): Promise<{ area: string }> {
  const { run } = dashboard;
  await run('create_session', { name: 'first look' });
  await run('check_changes', { base: 'HEAD' });
  await run('store_entry', {
    content: `Sessions are kept in memory because the shop has one process. ${hostile}`,
    category: 'decision',
    title: 'where sessions live',
    code_references: ['src/auth/session.ts'],
  });
  for (const content of ['Attempts are forgotten after a minute.', 'Attempts are never forgotten.'])
    await run('store_entry', { content, category: 'decision', title: 'how long attempts count' });
  const { node_id } = (await run('store_entry', {
    content: 'Everybody may log in.',
    category: 'insight',
    title: 'who may log in',
  })) as { node_id: string };
  await dashboard.doubt(`entry:${node_id}`, 'login() refuses after ten attempts');
  await run('create_work_tree', {
    actor: 'ada',
    project: { ref: 'p', name: 'Shop', summary: 'The shop.' },
    features: [
      {
        ref: 'f',
        name: 'Public API',
        summary: 'What partners call.',
        priority: 'HIGH',
        tasks: [
          {
            ref: 'limit',
            id: 'a1000000-0000-4000-8000-000000000003',
            title: 'Add rate limiting',
            summary: `Requests beyond the quota get 429. ${hostile}`,
            priority: 'HIGH',
            complexity: 4,
            tags: 'api',
          },
          {
            title: 'Document the limits',
            summary: 'Quota and headers.',
            priority: 'LOW',
            complexity: 1,
            blockedBy: ['limit'],
          },
        ],
      },
    ],
  });
  const made = (await run('manage_graph', {
    actor: 'ada',
    operation: 'create',
    entityType: 'atom',
    createdByTaskId: 'a1000000-0000-4000-8000-000000000003',
    name: 'Sessions',
    paths: ['src/auth/**'],
    knowledge: `A session lives as long as the process. ${hostile}`,
  })) as { data: { atom: { id: string } } };
  const handbook = {
    title: 'Shop handbook',
    body: `How the shop is started. ${hostile}`,
    sources: [{ type: 'local', path: 'docs' }],
    tags: ['handbook'],
  };
  const asked = (await run('reference_topic_create', handbook)) as { data: { approval_id: string } };
  const { approval_id } = asked.data;
  await run('approve', { approval_id }, 'person');
  await run('reference_topic_create', { ...handbook, approval_id });
  for (const title of ['Rate limits in practice', 'Second opinion'])
    await run('reference_topic_create', {
      title,
      body: `What others do. ${hostile}`,
      sources: [{ type: 'web', url: `https://far.example/${title.replaceAll(' ', '-')}` }],
    });
  return { area: made.data.atom.id };
}
