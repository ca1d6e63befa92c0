// Packs the product, installs the pack into an empty project as a user would, and runs it there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(join(tmpdir(), 'sylk-package-'));
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  run('npm', ['pack', '--pack-destination', scratch, '--loglevel=error'], root);
  const pack = join(
    scratch,
    readdirSync(scratch).find((name) => name.endsWith('.tgz')),
  );
  const project = join(scratch, 'project');
  run('git', ['init', '-q', '-b', 'main', project], scratch);
  writeFileSync(join(project, 'package.json'), '{"name":"elsewhere","private":true}');
  writeFileSync(join(project, '.gitignore'), 'node_modules\n');
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', pack],
    project,
  );
  run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'add', '-A'], project);
  run(
    'git',
    ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'feat: start elsewhere'],
    project,
  );
  const sylk = join(project, 'node_modules', '.bin', 'sylk');
  const checks = [
    [['--version'], /^\d+\.\d+\.\d+\n$/],
    [['status', '--json'], /"repository"/],
    [['help'], /memory and a team for coding agents/],
    [['index'], /Indexed \d+ files/],
    [['call', 'discover_tools', '{"languages":["python"]}'], /ruff/],
    [['search', 'elsewhere'], /package\.json|start elsewhere/],
  ];
  for (const [args, expected] of checks) {
    const result = spawnSync(sylk, args, { cwd: project, encoding: 'utf8' });
    if (result.status !== 0 || !expected.test(result.stdout)) {
      console.error(
        `sylk ${args.join(' ')} failed in the installed package (${result.status})\n${result.stdout}${result.stderr}`,
      );
      process.exit(1);
    }
  }
  console.log('The installed package works.');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
