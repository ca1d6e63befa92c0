import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { SylkError } from '../../../base/errors.ts';
import { product, state } from '../../../base/files/index.ts';
import { programOnPath } from '../../../base/process/index.ts';
import type { ToolContext, WorkPlace, WorkTool } from '../worker.ts';
import type { RunLine } from './command.ts';
import entries from './component-entries.json' with { type: 'json' };
import { contentOf } from './files.ts';
import { defineTool } from './tool.ts';

export interface RenderOptions {
  /** Runs a line in the sandbox: what is rendered is code of the repository. */
  runLine: RunLine;
  isConfined: boolean;
  /** Pictures and pages are written here; the sandbox may write it too. */
  directory: string;
}

export interface Finding {
  rule: string;
  where: string;
  what: string;
  impact?: string | undefined;
  how?: string | undefined;
}

const findings = z.array(
  z.object({
    rule: z.string(),
    where: z.string(),
    what: z.string(),
    impact: z
      .string()
      .nullish()
      .transform((text) => text ?? undefined),
    how: z.string().optional(),
  }),
);

const levels = {
  A: ['wcag2a', 'wcag21a'],
  AA: ['wcag2a', 'wcag21a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
  AAA: ['wcag2a', 'wcag21a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'wcag2aaa'],
};

const subject = {
  path: z.string().min(1).describe('a page (.html) or a component (.jsx, .tsx)'),
  component: z
    .string()
    .regex(/^[A-Za-z_$][\w$]*$/)
    .optional()
    .describe('name of the export; default: the only one'),
  props: z.record(z.string(), z.unknown()).default({}),
};
export interface Subject {
  path: string;
  component?: string | undefined;
  props?: Record<string, unknown>;
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

/** Looks at pages and components in a real browser, in the sandbox, without network. */
export function createRenderer({ runLine, isConfined, directory }: RenderOptions) {
  const run = async (place: WorkPlace, line: string, signal: AbortSignal): Promise<string> => {
    const result = await runLine(line, {
      directory: place.directory,
      environment: place.environment,
      seconds: 60,
      signal,
    });
    const said = result.stdout.toString('utf8');
    if (result.code === 0) return said;
    throw new SylkError('UNAVAILABLE', `It could not be rendered: ${(result.stderr || said).slice(-1500)}`);
  };
  const open = async (
    { path, component, props = {} }: Subject,
    { place, signal }: Pick<ToolContext, 'place' | 'signal'>,
  ) => {
    const browser = browsers.map((name) => programOnPath(name)).find((found) => found !== undefined);
    if (!isConfined)
      throw new SylkError(
        'UNAVAILABLE',
        'There is no sandbox on this machine: code of a repository is not rendered without one.',
        { hint: 'sylk doctor' },
      );
    if (browser === undefined)
      throw new SylkError('UNAVAILABLE', 'There is no browser on this machine.', {
        hint: 'Ask the person to type: apt-get install chromium',
      });
    if (contentOf(place, path) === undefined) throw new SylkError('NOT_FOUND', `There is no file ${path}.`);
    const id = randomUUID();
    state.makeDirectory(directory);
    const page = /\.html?$/i.test(path)
      ? join(place.directory, path)
      : await bundle(
          { path, component, props },
          place,
          (line) => run(place, line, signal),
          join(directory, id),
        );
    const look = (flags: string, address: string) =>
      run(
        place,
        `${quoted(browser)} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --user-data-dir="$(mktemp -d)" --allow-file-access-from-files --disable-web-security --virtual-time-budget=5000 ${flags} ${quoted(address)}`,
        signal,
      );
    return { id, page: pathToFileURL(page).href, look };
  };
  return {
    picture: async (
      given: Subject,
      size: { width: number; height: number },
      context: Pick<ToolContext, 'place' | 'signal'>,
    ): Promise<string> => {
      const { id, page, look } = await open(given, context);
      const file = join(directory, `${id}.png`);
      await look(`--window-size=${size.width},${size.height} --screenshot=${quoted(file)}`, page);
      return file;
    },
    check: async (
      given: Subject,
      check: { name: 'accessibility' | 'responsive' | 'layout'; input?: object; width?: number },
      context: Pick<ToolContext, 'place' | 'signal'>,
    ): Promise<Finding[]> => {
      const { id, page, look } = await open(given, context);
      const frame = join(directory, `${id}.frame.html`);
      state.write(frame, framePage(page, check));
      const dump = await look(
        `--window-size=${(check.width ?? 1024) + 40},900 --dump-dom`,
        pathToFileURL(frame).href,
      );
      return readFindings(dump);
    },
  };
}

export type Renderer = ReturnType<typeof createRenderer>;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A page with the other one in a frame of the wanted width. The checks run inside of the frame, and their answer is in the document. */
function framePage(
  page: string,
  { name, input = {}, width = 1024 }: { name: string; input?: object; width?: number },
): string {
  const axe = product.read(createRequire(import.meta.url).resolve('axe-core/axe.min.js')).toString('utf8');
  const checks = product.read(new URL('./data/page-checks.js', import.meta.url)).toString('utf8');
  const scripts = JSON.stringify([axe, checks]).replaceAll('<', '\\u003c');
  return `<!doctype html><title>check</title><iframe id="page" style="width:${width}px;height:800px;border:0" src="${page.replaceAll('"', '%22')}"></iframe><pre id="found"></pre><script>
const scripts = ${scripts};
document.getElementById('page').addEventListener('load', async ({ target }) => {
  const found = document.getElementById('found');
  try {
    await new Promise((ready) => setTimeout(ready, 500));
    for (const text of scripts) target.contentWindow.eval(text);
    const answer = await target.contentWindow.sylkChecks[${JSON.stringify(name)}](${JSON.stringify(input)});
    found.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(answer))));
  } catch (error) {
    found.textContent = 'failed ' + btoa(unescape(encodeURIComponent(String(error))));
  }
});</script>`;
}

function readFindings(dump: string): Finding[] {
  const [, failed, encoded] = /<pre id="found">(failed )?([A-Za-z0-9+/=]*)<\/pre>/.exec(dump) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  if (failed || text === '')
    throw new SylkError('UNAVAILABLE', `The page could not be checked: ${text || 'it did not load.'}`);
  return findings.parse(JSON.parse(text));
}

/** A component is bundled by the project's own esbuild, in the sandbox, and mounted on an empty page. */
async function bundle(
  { path, component, props }: Subject,
  place: WorkPlace,
  run: (line: string) => Promise<string>,
  name: string,
): Promise<string> {
  const manifest = contentOf(place, 'package.json') ?? '{}';
  const framework = Object.values(entries).find(({ packages }) =>
    packages.every((each) => manifest.includes(`"${each}"`)),
  );
  if (!/\.[jt]sx$/.test(path) || !framework)
    throw new SylkError('VALIDATION_ERROR', `${path} can't be rendered by itself.`, {
      hint: 'Pages (.html) and components of React and Preact (.jsx, .tsx) can. Build a page of it with the tools of the project and name that.',
    });
  const entry = [
    `import * as all from ${JSON.stringify(`./${path}`)};`,
    `const Component = ${component ? `all[${JSON.stringify(component)}]` : "all.default ?? Object.values(all).find((each) => typeof each === 'function')"};`,
    `const props = ${JSON.stringify(props)};`,
    framework.entry,
  ].join('\n');
  state.write(`${name}.entry.jsx`, entry);
  await run(
    `node_modules/.bin/esbuild --bundle --loader=jsx --jsx=automatic --sourcefile=preview.jsx '--define:process.env.NODE_ENV="development"' --outfile=${quoted(`${name}.js`)} < ${quoted(`${name}.entry.jsx`)}`,
  );
  const title = path.replaceAll(/[<&"]/g, ' ');
  state.write(
    `${name}.html`,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="${name}.css"></head><body><main id="root"></main><script src="${name}.js"></script></body></html>`,
  );
  return `${name}.html`;
}

export const levelInput = (level: keyof typeof levels) => ({ tags: levels[level] });

const lines = (found: Finding[], none: string): string =>
  found.length === 0
    ? none
    : found
        .map(
          ({ rule, impact, where, what, how }) =>
            `${impact ? `${impact}: ` : ''}${rule} at ${where}: ${what}${how ? ` (${how})` : ''}`,
        )
        .join('\n');

/** The tools of whoever builds what people see. */
export function renderTools(renderer: Renderer): WorkTool[] {
  const tool = { tier: 'specialised', effect: 'read' } as const;
  return [
    defineTool({
      ...tool,
      name: 'preview_ui',
      description:
        'Renders a page or component in a real browser and stores a picture of it. Answers where the picture is.',
      input: z.object({
        ...subject,
        width: z.coerce.number().int().min(200).max(4000).default(1024),
        height: z.coerce.number().int().min(200).max(4000).default(768),
      }),
      run: async ({ width, height, ...given }, context) => ({
        text: `Picture: ${await renderer.picture(given, { width, height }, context)}`,
      }),
    }),
    defineTool({
      ...tool,
      name: 'check_accessibility',
      description:
        'Renders a page or component in a real browser and checks it with axe: names, roles, contrast, structure.',
      input: z.object({ ...subject, level: z.enum(['A', 'AA', 'AAA']).default('AA') }),
      run: async ({ level, ...given }, context) => ({
        text: lines(
          await renderer.check(given, { name: 'accessibility', input: levelInput(level) }, context),
          `axe finds nothing against level ${level}. It can't see everything: try the keyboard too.`,
        ),
        untrusted: true,
      }),
    }),
    defineTool({
      ...tool,
      name: 'responsive_audit',
      description:
        'Renders a page or component at several widths and says what overflows, is too small to touch or to read.',
      input: z.object({
        ...subject,
        widths: z.array(z.coerce.number().int().min(200).max(4000)).max(5).default([360, 768, 1280]),
      }),
      run: async ({ widths, ...given }, context) => {
        const parts: string[] = [];
        for (const width of widths)
          parts.push(
            `${width} px:\n${lines(await renderer.check(given, { name: 'responsive', width }, context), 'nothing found')}`,
          );
        return { text: parts.join('\n'), untrusted: true };
      },
    }),
    defineTool({
      ...tool,
      name: 'analyze_layout',
      description:
        'Renders a page or component and answers the boxes of its elements: size, place, display, gaps.',
      input: z.object({ ...subject, width: z.coerce.number().int().min(200).max(4000).default(1024) }),
      run: async ({ width, ...given }, context) => ({
        text: lines(await renderer.check(given, { name: 'layout', width }, context), 'nothing is visible'),
        untrusted: true,
      }),
    }),
  ];
}
