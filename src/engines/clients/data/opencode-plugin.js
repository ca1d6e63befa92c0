// Written by `sylk hooks install client opencode`; the same with `uninstall` removes it.
import { spawn } from 'node:child_process';

const [program, ...lead] = COMMAND;

const tell = (event, payload) =>
  new Promise((resolve) => {
    try {
      const child = spawn(program, [...lead, 'hook', 'opencode', event], {
        cwd: payload.cwd,
        stdio: ['pipe', event === 'start' ? 'pipe' : 'ignore', 'ignore'],
        timeout: 5000,
        detached: event !== 'start',
      });
      let said = '';
      child.stdout?.on('data', (chunk) => {
        said += chunk;
      });
      child.on('error', () => resolve(''));
      child.on('close', (code) => resolve(code === 0 ? said : ''));
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
    } catch {
      resolve('');
    }
  });

export const Sylk = async ({ directory }) => {
  const briefings = new Map();
  return {
    'experimental.chat.system.transform': async ({ sessionID }, output) => {
      if (!sessionID) return;
      if (!briefings.has(sessionID))
        briefings.set(sessionID, tell('start', { session_id: sessionID, cwd: directory }));
      const text = await briefings.get(sessionID);
      if (text) output.system.push(text);
    },
    event: async ({ event }) => {
      if (event.type === 'session.idle')
        await tell('turn', { session_id: event.properties.sessionID, cwd: directory });
    },
  };
};
