import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../tests/support/repository.ts';
import { openApp } from '../../app.ts';
import { runOperation } from '../run.ts';

function asking(directory: string) {
  const app = openApp({ directory });
  onTestFinished(() => app.close());
  return async (question: string): Promise<string[]> => {
    const outcome = await runOperation(app, {
      name: 'ask',
      input: { question },
      caller: { kind: 'person', name: 'test' },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    const { citations } = outcome.output as { citations: Array<{ place: string; reason: string }> };
    return citations.map(({ place, reason }) => `${place} ${reason}`);
  };
}

function opened(content: Record<string, string>) {
  const repository = testRepository();
  repository.commit('one', content);
  return asking(repository.path);
}

test('a question after a number is answered by the line that gives it, whatever words it is put in', async () => {
  const ask = opened({
    'db/skiplist.h':
      '// A list with express lanes.\nclass SkipList {\n public:\n  void Insert(int key);\n  enum { kMaxHeight = 12 };\n};\n',
    'db/format.h': 'namespace config {\nstatic const int kNumLevels = 7;\n}\n',
    'bench/run.cc': 'static int kNumLevels = 99;\n',
    'src/queue.py':
      'class Queue:\n    def __init__(self, drain_timeout: int = 5):\n        self.drain_timeout = drain_timeout\n',
  });
  expect((await ask('what is the maximum height of the skip list'))[0]).toMatch(/^db\/skiplist\.h:5 /);
  expect((await ask('how many levels are there'))[0]).toMatch(/^db\/format\.h:2 /);
  expect((await ask('what is the default drain timeout'))[0]).toMatch(/^src\/queue\.py:2 /);
});

test('a private name in the code does not fail a question after its default', async () => {
  const ask = opened({
    'source/queue.ts':
      'export class Queue {\n  #concurrency = 4;\n  get concurrency(): number {\n    return this.#concurrency;\n  }\n}\n',
  });
  expect((await ask('what is the default concurrency'))[0]).toMatch(/^source\/queue\.ts:2 /);
});

test('how something is done is answered by the code that does it, not by its test or by data', async () => {
  const ask = opened({
    'src/notebooks.rs': `${'// Counts cells.\n'.repeat(3)}pub fn parse_jupyter(json: &[u8]) -> usize {\n${'    let cells = json.len();\n'.repeat(40)}    cells\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn jupyter_notebook_is_handled() {\n        // Jupyter notebooks are handled as notebooks.\n        assert_eq!(parse_jupyter(b"jupyter notebook"), 16);\n    }\n}\n`,
    'src/NotebookTest.java': 'class NotebookTest {\n  void jupyterNotebooksAreHandled() {}\n}\n',
    'languages.json': '{ "Jupyter": { "name": "Jupyter Notebooks", "extensions": ["ipynb"] } }\n',
  });
  expect((await ask('how are jupyter notebooks handled'))[0]).toMatch(/^src\/notebooks\.rs:[1-9]-/);
});

test('names such as macOS are words of a commit, and what was replaced was removed', async () => {
  const repository = testRepository();
  repository.commit('readme: rename the macos heading', { 'README.md': '# macos\n' });
  repository.commit('Bump clockwork from 1.0 to 1.1', { 'deps.txt': 'clockwork 1.1\n' });
  repository.commit('Use tzdata instead of clockwork', {
    'deps.txt': 'tzdata\n',
    'notes.md': 'not clockwork\n',
  });
  repository.commit('Use XDG conventions on macOS too', { 'src/config.rs': 'fn config_dir() {}\n' });
  const ask = asking(repository.path);
  expect((await ask('why does macos use the xdg directories'))[0]).toMatch(/^Use XDG conventions/);
  expect((await ask('why was clockwork removed'))[0]).toMatch(/^Use tzdata instead/);
});

test('who knows a part that no path is called is answered by the file that it is about', async () => {
  const ask = opened({
    'util/env_windows.cc': '// Files and locks of Windows.\nclass WindowsEnv {\n  void LockFile();\n};\n',
    'util/cache.cc': 'class Cache {};\n',
  });
  expect((await ask('who knows the windows environment'))[0]).toMatch(/ 1 commit,/);
});

test('where no use is certain, the possible ones are shown and called so', async () => {
  const ask = opened({
    'lib/launcher.rb': 'class Launcher\n  def run\n    @worker.safe_thread("heartbeat")\n  end\nend\n',
    'lib/component.rb': 'module Component\n  def safe_thread(name)\n    name\n  end\nend\n',
  });
  const [first] = await ask('what calls safe_thread');
  expect(first).toMatch(/^lib\/launcher\.rb:3 .*possible/);
});

test('of many definitions in one file, the lines of the one that answers are shown', async () => {
  const ask = opened({
    'src/stream.rs': [
      'impl Stream {',
      '    pub fn next(&mut self) -> Option<Dir> {\n        self.idx.next()\n    }\n',
      '    fn filter_by_base_dir(&self, path: &str) -> bool {\n        path.starts_with(&self.base)\n    }\n',
      '    fn filter_by_keywords(&self, path: &str) -> bool {\n        self.keywords.iter().all(|each| path.contains(each))\n    }\n',
      '    fn filter_by_exists(&self, path: &str) -> bool {\n        self.resolver.exists(path)\n    }\n}\n',
    ].join('\n'),
  });
  expect((await ask('where does it check that a path matches the keywords I typed'))[0]).toMatch(
    /^src\/stream\.rs:10-12 /,
  );
});

test('how to run the tests of something alone is said as a command with the file and the name', async () => {
  const go = opened({
    'go.mod': 'module example.org/a\n\ngo 1.24\n',
    'sampler.go': 'package a\n\nfunc Sample() bool { return true }\n',
    'sampler_test.go':
      'package a\n\nimport "testing"\n\nfunc TestSamplerBurst(t *testing.T) {}\n\nfunc TestSamplerRandom(t *testing.T) {}\n',
  });
  expect((await go('how do I run only the burst sampler test'))[0]).toMatch(
    /^sampler_test\.go:5 `go test \. -run '\^TestSamplerBurst\$'`/,
  );
  const rust = opened({
    'Cargo.toml': '[package]\nname = "a"\nversion = "1.0.0"\n',
    'src/lib.rs': 'pub mod db;\n',
    'src/db/mod.rs': 'pub mod stream;\n',
    'src/db/stream.rs':
      'pub fn keywords() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn keywords_match() {}\n}\n',
  });
  expect((await rust('how do I run just the test for keyword matching'))[0]).toContain(
    'cargo test db::stream::tests::keywords_match',
  );
  const ruby = opened({
    Gemfile: "gem 'minitest'\n",
    Rakefile: "require 'rake/testtask'\nRake::TestTask.new(:test)\n",
    'test/paginator_test.rb': "describe 'pages' do\n  it 'counts' do\n  end\nend\n",
  });
  expect((await ruby('how do I run only the tests for pagination'))[0]).toMatch(
    /ruby -Itest test\/paginator_test\.rb`/,
  );
});

test('what a change to something described affects begins with the thing and goes on with its uses', async () => {
  const ask = opened({
    'src/paint.py':
      'def colorize(text, code):\n    return f"\\x1b[{code}m{text}"\n\n\ndef plain(text):\n    return text\n',
    'src/console.py': 'from paint import colorize\n\n\ndef show(line):\n    print(colorize(line, 31))\n',
  });
  const cited = await ask('what breaks if I change how colorized text is coded');
  expect(cited[0]).toMatch(/^src\/paint\.py:1-2 .*this is what would change/);
  expect(cited[1]).toMatch(/^src\/console\.py:5 /);
});

test('a reason that a comment gives is told before commits, and a needed version where a line says it', async () => {
  const ask = opened({
    'src/store.py':
      'def save(file):\n    # Errors of the last write are reported only on close, so the file is synced to disk before it is closed.\n    file.sync()\n    file.close()\n',
    'README.md': '# Store\n\nRequires Redis 7.0 or newer.\n',
  });
  expect((await ask('why is the file synced to disk before it is closed'))[0]).toMatch(/^src\/store\.py:2/);
  expect((await ask('which redis version is the oldest that works'))[0]).toMatch(/^README\.md:3 /);
});
