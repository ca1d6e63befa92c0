// What has to be true before a version is published: a clean tree, a section in the changelog, licences that allow it, a bill of materials in the
// package, and a pack that npm would take. `npm run release` looks; `npm run release -- --publish` publishes.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const problems = [];
const say = (isGood, text) => {
  console.log(`${isGood ? '✓' : '✗'} ${text}`);
  if (!isGood) problems.push(text);
};

say(run('git', 'status', '--porcelain') === '', 'The working tree is clean.');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
say(
  new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`, 'm').test(changelog),
  `CHANGELOG.md has a section ${version}.`,
);

execFileSync('npm', ['run', '--silent', 'prepack'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

// What is installed with the package, by npm's own reading of the lock file.
const bill = JSON.parse(run('npm', 'sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx'));
bill.metadata.component.name = 'sylk';
// The dashboard is built into the package; its folder is no package of its own.
bill.components = bill.components.filter(({ name }) => name !== 'web' && name !== 'sylk-web');
writeFileSync(join(root, 'dist/sbom.json'), `${JSON.stringify(bill, null, 1)}\n`);
const free =
  /^\(?(?:MIT|Apache[- ]2\.0|BSD-[23]-Clause|ISC|Unlicense|0BSD|AFL-2\.1 OR BSD-3-Clause|BlueOak-1\.0\.0|CC0-1\.0)\)?$/;
const licenceOf = ({ name, version: of, licenses = [] }) => {
  const [first] = licenses;
  // npm leaves out what is written as a list or in a file; the package itself says it.
  const told = first?.license?.id ?? first?.expression ?? first?.license?.name;
  const own = () =>
    JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).license;
  return { name: `${name} ${of}`, licence: told ?? (name.startsWith('sylk') ? 'MIT' : own()) };
};
const others = bill.components.map(licenceOf).filter(({ licence }) => !free.test(licence ?? ''));
say(
  others.length === 0,
  `Licences of ${bill.components.length} packages allow it${others.map(({ name, licence }) => `; ${name}: ${licence ?? 'none'}`).join('')}.`,
);

const audit = spawnSync('npm', ['audit', '--omit', 'dev', '--json'], { cwd: root, encoding: 'utf8' });
const found = JSON.parse(audit.stdout || '{}').metadata?.vulnerabilities;
if (found) say(found.total === 0, `Known vulnerabilities: ${found.total}.`);
else
  console.log(
    '? The registry did not answer whether vulnerabilities are known; ask it again before you publish.',
  );

const publish = process.argv.includes('--publish');
if (publish && problems.length === 0) {
  // Provenance is signed by the pipeline that builds it; npm refuses it elsewhere.
  const provenance = process.env.CI ? ['--provenance'] : [];
  execFileSync('npm', ['publish', '--access', 'public', '--ignore-scripts', ...provenance], {
    cwd: root,
    stdio: 'inherit',
  });
} else {
  const [pack] = JSON.parse(run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts'));
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  say(
    pack.files.some(({ path }) => path === 'dist/sbom.json'),
    'The package has its bill of materials.',
  );
  say(
    pack.files.some(({ path }) => path === 'dist/main.js'),
    'The package has the program.',
  );
  console.log(
    `  ${pack.filename}: ${megabytes(pack.size)} packed, ${megabytes(pack.unpackedSize)} unpacked, ${pack.entryCount} files`,
  );
}
process.exitCode = problems.length > 0 ? 1 : 0;
