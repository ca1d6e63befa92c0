import { SylkError } from '../../base/errors.ts';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables in a credential: `${GITHUB_TOKEN}`. Only credentials are expanded. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(variable)].flatMap(([, name]) => name ?? []);

export function expandVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(variable, (_all, name: string) => {
    const value = env[name];
    if (value === undefined || value === '')
      throw new SylkError('UNAVAILABLE', `The environment variable ${name} is not set.`, {
        hint: `Set ${name}, or remove auth_token from this repository in skills.toml.`,
      });
    return value;
  });
}
