import { expect, test } from 'vitest';
import { pyprojectEnvironments } from './python-runners.ts';

test('directories that tox fills in are left out of its commands, with the options that name them', () => {
  const text = `[tool.tox.env_run_base]
commands = [["pytest", "-v", "--basetemp={env_tmp_dir}", "--junitxml", "{tox_root}/out.xml", "tests"]]
`;
  const [environment] = pyprojectEnvironments({ path: 'pyproject.toml', directory: '', text });
  expect(environment?.body).toBe('pytest -v tests');
});
