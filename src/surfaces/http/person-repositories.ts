import { basename, dirname } from 'node:path';
import { type App, openApp } from '../../app.ts';
import { registeredRepositories } from '../../base/state/index.ts';
import type { Workspace } from '../shared/workspace.ts';

/** The other repositories of this machine that a person has used Sylk in: open to that person alone, never to an agent of this server. */
export function createPersonRepositories(workspace: Workspace) {
  const opened = new Map<string, App>();
  const roots = (): string[] => {
    const { user } = workspace.app();
    const served = new Set(workspace.opened().map(({ repository }) => repository.mainRoot));
    return registeredRepositories(user.state)
      .flatMap((path) => (basename(path) === '.git' ? [dirname(path)] : []))
      .filter((root) => !served.has(root));
  };
  return {
    list: () => roots().map((root) => ({ name: basename(root), root })),
    /** Undefined where the name is not the path of one of them. */
    find(root: string): App | undefined {
      const known = opened.get(root);
      if (known || !roots().includes(root)) return known;
      const app = openApp({ directory: root, env: workspace.app().env, flags: [], mode: 'server' });
      opened.set(root, app);
      workspace.app().onClose(() => app.close());
      return app;
    },
  };
}
