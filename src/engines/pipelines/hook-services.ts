import type { Log } from '../../base/log.ts';
import { categories } from '../../stores/chronicle/index.ts';
import type { Brief, HookServices } from '../agents/index.ts';
import type { Memory } from '../memory/index.ts';

/** What the hooks of an agent write and read: its session and the memory. */
export function hookServices(parts: {
  memory: () => Promise<Memory>;
  log: Log;
  window: number;
  countTokens(text: string): number;
}): HookServices {
  const { memory, log, window, countTokens } = parts;
  // The same text in every question of a leg: providers charge less for a beginning that stays.
  const [contexts, histories] = [createOnceByKey(), createOnceByKey()];
  const change = async ({ session }: Brief, patch: Parameters<Memory['sessions']['change']>[1]) => {
    const { sessions } = await memory();
    if (await sessions.find(session)) await sessions.change(session, patch);
  };
  return {
    window,
    countTokens,
    session: ({ session }) => session,
    log: (about, facts) => log.debug(`agent ${about}`, facts),
    sessionContext: (brief) =>
      contexts(`${brief.run} ${brief.node} ${brief.leg}`, () => readSession(memory, brief)),
    history: (brief) => histories(`${brief.run} ${brief.node}`, () => readHistory(memory, brief)),
    remember: async ({ session, role }, category, content) => {
      await (await memory()).remember({
        session_id: session,
        category: categories.find((each) => each === category) ?? 'general',
        content,
        source: role,
        source_kind: 'agent',
      });
    },
    trackFile: (brief, path, how) =>
      change(brief, ({ context }) => {
        const field = how === 'read' ? 'read_files' : 'modified_files';
        const note = { at: new Date().toISOString() };
        return { context: { ...context, [field]: { ...context[field], [path]: note } } };
      }),
    setStep: (brief, step) =>
      change(brief, ({ context }) => ({ context: { ...context, current_step: step } })),
  };
}

function createOnceByKey() {
  const texts = new Map<string, Promise<string>>();
  return (key: string, read: () => Promise<string>): Promise<string> => {
    const text = texts.get(key) ?? read();
    texts.set(key, text);
    return text;
  };
}

async function readSession(memory: () => Promise<Memory>, { session }: Brief): Promise<string> {
  const found = await (await memory()).sessions.find(session);
  const files = Object.keys(found?.context.modified_files ?? {});
  return files.length === 0
    ? ''
    : `Files that this session has changed so far: ${files.slice(-40).join(', ')}`;
}

async function readHistory(memory: () => Promise<Memory>, { session, task }: Brief): Promise<string> {
  const warnings = await (await memory()).checkMistakes({ session_id: session, sees_all: false }, task);
  if (warnings.length === 0) return '';
  const lines = warnings
    .slice(0, 5)
    .map(({ pattern, error, fix }) => `- ${pattern}: ${error}. Instead: ${fix}`);
  return ['What went wrong before with something like this, as the memory has it:', ...lines].join('\n');
}
