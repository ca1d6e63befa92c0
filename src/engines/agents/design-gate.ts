import { messageOf, SylkError } from '../../base/errors.ts';
import type { HookTable } from './hooks.ts';
import type { Loop } from './loop-state.ts';
import { contentOf } from './tools/files.ts';
import { levelInput, type Renderer } from './tools/render.ts';

/** The token of the project that has a value; undefined where none has it. */
export type TokenOf = (value: string) => Promise<string | undefined>;

const mostRefused = 3;
const mostFindings = 30;
const refusal = 'Not done yet:';

const isRendered = (path: string): boolean => /\.(?:html?|[jt]sx)$/i.test(path);
const isStyled = (path: string): boolean =>
  /\.(?:css|scss|less|html?|[jt]sx|vue|svelte)$/i.test(path) && !/tokens?|theme/i.test(path);

/**
 * Whoever builds what people see is done once axe finds nothing in the pages and components that it changed, and no raw value is there
 * that the project has a token for. What can't be rendered is noted, not refused; the third refusal leaves it to the judges.
 */
export function designGate(
  loop: () => Loop,
  renderer: Renderer,
  tokenOf: TokenOf,
): HookTable['pre_tool'][number] {
  return {
    name: 'design_gate',
    priority: 'late',
    run: async ({ call }) => {
      const { context, conversation, steps, record } = loop();
      const refused = steps.filter((step) => step.kind === 'result' && step.text.startsWith(refusal)).length;
      if (call.name !== 'signal_complete' || refused >= mostRefused) return;
      const changed = [...conversation.sent]
        .filter(([, parts]) => parts.some(({ to }) => to === 0))
        .map(([path]) => path);
      const found: string[] = [];
      for (const path of changed.filter(isRendered))
        try {
          const check = { name: 'accessibility' as const, input: levelInput('AA') };
          for (const { rule, where, what } of await renderer.check({ path }, check, context))
            found.push(`${path}: ${rule} at ${where}: ${what}`);
        } catch (error) {
          context.signal.throwIfAborted();
          await record({
            kind: 'note',
            about: 'accessibility',
            text: `${path} was not judged: ${messageOf(error)}`,
          });
        }
      for (const path of changed.filter(isStyled))
        found.push(...(await rawValues(path, contentOf(context.place, path) ?? '', tokenOf)));
      if (found.length > 0)
        throw new SylkError('DENIED', [refusal, ...found.slice(0, mostFindings)].join('\n'));
    },
  };
}

/** Raw values where the project has a token, each with its line. */
export async function rawValues(path: string, text: string, tokenOf: TokenOf): Promise<string[]> {
  const found: string[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    // A line that defines a token has the value in its raw form.
    if (/^\s*--[\w-]+\s*:/.test(line)) continue;
    for (const [value] of line.matchAll(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/gi)) {
      const token = await tokenOf(value);
      if (token !== undefined) found.push(`${path}:${at + 1}: ${value} is the token ${token}`);
    }
  }
  return found;
}
