import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

const aims = ['then: session worktree, merge', 'then: index, search, doctor', 'snapshot', 'why'];

/** Settings that name a program, one case for each. `{trap}` is the program. */
const programs: Record<string, string> = {
  'core.fsmonitor': '{trap}',
  'core.sshCommand': '{trap}',
  'core.pager': '{trap}',
  'pager.log': '{trap}',
  'core.editor': '{trap}',
  'sequence.editor': '{trap}',
  'core.askPass': '{trap}',
  'core.gitProxy': '{trap}',
  'core.alternateRefsCommand': '{trap}',
  'diff.external': '{trap}',
  'diff.evil.command': '{trap}',
  'diff.evil.textconv': '{trap}',
  'filter.evil.clean': '{trap}',
  'filter.evil.smudge': '{trap}',
  'filter.evil.process': '{trap}',
  'filter.lfs.process': '{trap}',
  'filter.ev il.smudge': '{trap}',
  'merge.evil.driver': '{trap} %A %O %B',
  'gpg.program': '{trap}',
  'gpg.ssh.program': '{trap}',
  'gpg.ssh.defaultKeyCommand': '{trap}',
  'credential.helper': '!{trap}',
  'alias.log': '!{trap}',
  'alias.worktree': '!{trap}',
  'uploadpack.packObjectsHook': '{trap}',
  'remote.origin.uploadpack': '{trap}',
  'remote.origin.receivepack': '{trap}',
  'remote.origin.vcs': 'evil',
  'trailer.evil.command': '{trap}',
  'trailer.evil.cmd': '{trap}',
  'interactive.diffFilter': '{trap}',
  'browser.evil.cmd': '{trap}',
  'mergetool.evil.cmd': '{trap}',
  'difftool.evil.cmd': '{trap}',
  'submodule.x.update': '!{trap}',
  'core.hooksPath': '{traps}',
  'hook.evil.command': '{trap}',
  'init.templateDir': '{traps}',
  'include.path': '{include}',
  'includeIf.gitdir:/.path': '{include}',
  'maintenance.strategy': 'incremental',
};

const attributes =
  '* filter=evil diff=evil merge=evil\n*.ts filter=evil diff=evil merge=evil\n*.md filter=lfs\n*.json filter="ev il"\n';

const settings: StrangerCase[] = Object.entries(programs).map(([key, value]) => ({
  name: `git config: ${key}`,
  make: (place) => {
    const trap = place.trap('setting');
    const include = join(place.repository, '.git/more');
    writeFileSync(
      include,
      `[core]\n\tfsmonitor = ${trap}\n[filter "evil"]\n\tsmudge = ${trap}\n\tclean = ${trap}\n`,
    );
    place.write('.gitattributes', attributes);
    place.commitAll();
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-commit'])
      spawnSync('cp', [trap, place.clear(`.git/traps/${hook}`)]);
    const filled = value
      .replace('{traps}', join(place.repository, '.git/traps'))
      .replace('{trap}', trap)
      .replace('{include}', include);
    place.git('config', key, filled);
    if (key.startsWith('hook.')) place.git('config', 'hook.evil.event', 'post-checkout');
  },
  aims,
}));

function addConfig(place: Place, text: string, file = '.git/config'): void {
  appendFileSync(join(place.repository, file), text);
}

const emptyFilter: StrangerCase = {
  name: 'git config: a filter with an empty name',
  make: (place) => {
    place.write('.gitattributes', '*.ts filter=\n');
    place.commitAll();
    const trap = place.trap('empty-filter');
    addConfig(place, `[filter ""]\n\tsmudge = ${trap}\n\tclean = ${trap}\n`);
  },
  aims,
};

const huge: StrangerCase = {
  name: 'git config: 20 MB of names before a filter',
  make: (place) => {
    place.write('.gitattributes', '*.ts filter=evil\n');
    place.commitAll();
    const lines = Array.from(
      { length: 220_000 },
      (_, at) => `[filter "${String(at).padStart(80, 'n')}"]\n\tx=1\n`,
    );
    addConfig(place, lines.join(''));
    addConfig(place, `[filter "evil"]\n\tsmudge = ${place.trap('huge-config')}\n`);
  },
  aims,
  big: true,
};

/** A working tree with a submodule stays when its session ends, so the twin has one too. */
function addSubmodule(place: Place): void {
  const origin = join(place.root, 'outside', 'sub');
  mkdirSync(origin, { recursive: true });
  writeFileSync(join(origin, 'a.ts'), 'export const a = 1;\n');
  writeFileSync(join(origin, '.gitattributes'), '*.ts filter=evil\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['commit', '-qm', 'sub'],
  ])
    place.git('-C', origin, ...args);
  place.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', origin, 'sub');
  place.commitAll();
  // Same size, other content and time: git must read the file to know whether it changed.
  writeFileSync(join(place.repository, 'sub/a.ts'), 'export const b = 2;\n');
}

const submodule: StrangerCase = {
  name: "git config: a filter in a submodule's own config",
  twin: addSubmodule,
  make: (place) => {
    addSubmodule(place);
    const trap = place.trap('submodule-filter');
    addConfig(
      place,
      `[filter "evil"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n[core]\n\tfsmonitor = ${trap}\n`,
      '.git/modules/sub/config',
    );
  },
  aims,
};

const worktreeConfig: StrangerCase = {
  name: 'git config: a filter in config.worktree',
  make: (place) => {
    place.write('.gitattributes', '*.ts filter=evil\n');
    place.commitAll();
    place.git('config', 'extensions.worktreeConfig', 'true');
    place.write('.git/config.worktree', `[filter "evil"]\n\tsmudge = ${place.trap('worktree-config')}\n`);
  },
  aims,
  own: true,
};

const fifoSettings: Record<string, (place: Place, pipe: string) => void> = {
  'core.excludesFile': (place, pipe) => void place.git('config', 'core.excludesFile', pipe),
  'core.attributesFile': (place, pipe) => void place.git('config', 'core.attributesFile', pipe),
  'include.path': (place, pipe) => addConfig(place, `[include]\n\tpath = ${pipe}\n`),
  'mailmap.file': (place, pipe) => void place.git('config', 'mailmap.file', pipe),
  'blame.ignoreRevsFile': (place, pipe) => void place.git('config', 'blame.ignoreRevsFile', pipe),
  'commit.template': (place, pipe) => void place.git('config', 'commit.template', pipe),
  'gpg.ssh.allowedSignersFile': (place, pipe) => void place.git('config', 'gpg.ssh.allowedSignersFile', pipe),
  'fsck.skipList': (place, pipe) => void place.git('config', 'fsck.skipList', pipe),
};

const fifos: StrangerCase[] = Object.entries(fifoSettings).map(([key, set]) => ({
  name: `git config: ${key} is a FIFO`,
  make: (place) => {
    place.fifo('.git/pipe');
    set(place, join(place.repository, '.git/pipe'));
  },
  aims: ['search', ...aims],
}));

const paths: StrangerCase[] = [
  {
    name: 'git config: core.worktree is the home',
    make: (place) => void place.git('config', 'core.worktree', place.home),
    aims: ['then: init, hooks, uninstall', ...aims],
  },
  {
    name: 'git config: core.worktree is the file system',
    make: (place) => void place.git('config', 'core.worktree', '/proc'),
    aims: ['then: init, hooks, uninstall', ...aims],
  },
  {
    name: 'git config: alternates outside',
    make: (place) => {
      place.write('.git/objects/info/alternates', '/dev/zero\n/proc/self/cwd/.git/objects\n/\n');
    },
    aims,
  },
  {
    name: 'git config: .git is a file that leads elsewhere',
    stateAt: 'outside/git/sylk',
    make: (place) => {
      spawnSync('mv', [join(place.repository, '.git'), join(place.outside, 'git')]);
      place.write('.git', `gitdir: ${join(place.outside, 'git')}\n`);
    },
    aims,
    own: true,
  },
  {
    name: 'git config: commondir leads into the home',
    stateAt: 'home/elsewhere/sylk',
    make: (place) => {
      spawnSync('cp', ['-a', join(place.repository, '.git'), join(place.home, 'elsewhere')]);
      place.write('.git/commondir', `${join(place.home, 'elsewhere')}\n`);
    },
    aims: ['then: remember, brief, export', ...aims],
    own: true,
  },
  {
    name: 'git config: replace refs and grafts tell another history',
    make: (place) => {
      const message = 'CANARY-REPLACED decided by the security team';
      const tree = place.git('rev-parse', 'HEAD^{tree}');
      const other = place.git('commit-tree', '-m', message, tree);
      place.git('replace', place.git('rev-parse', 'HEAD'), other);
      place.write('.git/info/grafts', `${place.git('rev-parse', 'HEAD')} ${other}\n`);
    },
    absent: ['CANARY-REPLACED'],
    aims: ['why', 'commit', 'then: index, search, doctor'],
  },
  {
    name: 'git config: a partial clone whose promisor is a program',
    make: (place) => {
      place.git('config', 'core.repositoryFormatVersion', '1');
      place.git('config', 'extensions.partialClone', 'origin');
      place.git('config', 'remote.origin.promisor', 'true');
      place.git('config', 'remote.origin.url', `ext::${place.trap('promisor')}`);
      place.git('config', 'protocol.ext.allow', 'always');
      const blob = place.git('rev-parse', 'HEAD:src/index.ts');
      place.clear(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
    },
    aims,
  },
  {
    name: 'git config: a partial clone whose promisor is the listener',
    make: (place) => {
      place.git('config', 'core.repositoryFormatVersion', '1');
      place.git('config', 'extensions.partialClone', 'origin');
      place.git('config', 'remote.origin.promisor', 'true');
      place.git('config', 'remote.origin.url', `${place.listener.url}/x.git`);
      const blob = place.git('rev-parse', 'HEAD:src/index.ts');
      place.clear(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
    },
    aims,
  },
  {
    name: 'git config: an invalid line',
    make: (place) => addConfig(place, '[core\n\tthis is = not " config\n'),
    aims,
  },
  {
    name: 'git config: a newer repository format',
    make: (place) => void place.git('config', 'core.repositoryFormatVersion', '99'),
    aims,
    own: true,
  },
];

export const gitConfigCases: StrangerCase[] = [
  ...settings,
  emptyFilter,
  huge,
  submodule,
  worktreeConfig,
  ...fifos,
  ...paths,
];
