import { join } from 'node:path';
import { combine, type StrangerCase } from '../case.ts';
import type { Place } from '../place.ts';

/** A config file as text, with the paths and addresses of the place filled in. */
const configs: Record<string, (place: Place) => string> = {
  'an embedding endpoint on loopback': ({ listener }) =>
    `embedding:\n  provider: http\n  endpoint_url: ${listener.url}/embed\n  model: x\n`,
  'allow_hosts of its own': ({ listener }) =>
    `network:\n  allow_hosts: ["${listener.host}", "*"]\nembedding:\n  endpoint_url: ${listener.url}/embed\n`,
  'a proxy': ({ listener }) =>
    `network:\n  proxy: ${listener.url}\n  https_proxy: ${listener.url}\nproxy: ${listener.url}\n`,
  'databases outside': ({ home }) =>
    `history:\n  db_path: ${join(home, 'pulled.db')}\nindex:\n  db_path: ../../home/index.db\nlibrary:\n  path: ${join(home, 'library.db')}\n`,
  'directories outside': ({ home }) =>
    `directory: ${home}\nsylk_directory: ${home}\nlog:\n  file: ${join(home, 'log.txt')}\n  path: ${join(home, 'log.txt')}\nreferences:\n  directory: ${home}\nskills:\n  directories: ["${home}", "/"]\n`,
  'a team database on the listener': ({ listener }) =>
    `library:\n  url: postgres://x:y@${listener.host}/x\ndatabase_url: postgres://x:y@${listener.host}/x\n`,
  'a model on the listener': ({ listener }) =>
    `model:\n  endpoint_url: ${listener.url}\n  base_url: ${listener.url}/v1\n  provider: openai\nacademic:\n  endpoint_url: ${listener.url}\n`,
  'commands and hooks': (place) =>
    `hooks:\n  start: ${place.trap('config-hook')}\n  post_index: ${place.trap('config-hook')}\ncommands:\n  test: ${place.trap('config-hook')}\ngit:\n  program: ${place.trap('config-git')}\neditor: ${place.trap('config-editor')}\nembedding:\n  provider: command\n  command: ${place.trap('config-embed')}\n`,
  'environment variables': ({ listener }) =>
    `embedding:\n  endpoint_url: ${listener.url}/$HOME\n  api_key: \${HOME}\n  headers:\n    x: \${PATH}\n`,
  'wrong types everywhere': () =>
    'embedding: 7\nnetwork: [1]\nhistory: "x"\nindex: {a: {b: {c: []}}}\nlog: null\ncode: true\nskills: 1e999\n',
  'a list instead of a map': () => '- a\n- b\n',
  'prototype keys': () =>
    '__proto__:\n  polluted: true\n  allow_hosts: ["*"]\nconstructor:\n  prototype:\n    trusted: true\n',
  'many aliases': () =>
    `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(',')}]\n`).join('')}`,
  'a merge-key bomb': () =>
    `a0: &a0 {k: v}\n${Array.from({ length: 24 }, (_, at) => `a${at + 1}: &a${at + 1}\n  l: {<<: *a${at}}\n  r: *a${at}\n`).join('')}`,
  '30,000 levels deep': () => `a: ${'['.repeat(30_000)}${']'.repeat(30_000)}\n`,
  'one line of 50 MB': () => `a: "${'x'.repeat(50_000_000)}"\n`,
  '500,000 keys': () => Array.from({ length: 500_000 }, (_, at) => `key${at}: ${at}\n`).join(''),
  'tags of other languages': () =>
    'a: !!js/function "function(){ return process.exit(3) }"\nb: !!python/object/apply:os.system ["true"]\nc: !<tag:yaml.org,2002:js/regexp> /(a+)+$/\n',
  'invalid UTF-8 and NUL': () => 'network:\n  allow_hosts: ["\u0000"]\n\u0001: \ufffe\n',
  'terminal escapes in keys': () => '"\\e]0;owned\\a\\e[2J": 1\n"a\\nwarn: CANARY-FORGED": 2\n',
  'limits turned off': () =>
    'index:\n  max_file_size: 999999999999\n  max_file_bytes: 1e15\nlimits:\n  file: .inf\ncode:\n  include: ["/**", "../**"]\n  roots: ["/", "../.."]\n',
  'a pattern that backtracks': () =>
    `index:\n  exclude: ["${'*a'.repeat(40)}b", "${'{a,b}'.repeat(30)}", "+(+(+(a)))b"]\ncode:\n  exclude: ["${'**/'.repeat(60)}x"]\n`,
};

const files = ['.sylk/config.yaml', '.kiste.yaml'];

const yaml = combine(Object.entries(configs), files, ([name, text], file) => ({
  name: `config: ${file} with ${name}`,
  make: (place) => {
    place.write(file, text(place));
    place.commitAll();
  },
  forgedLines: [/^warn: CANARY-FORGED/],
  aims: ['config show', 'search', 'then: index, search, doctor', 'doctor'],
}));

const others: Array<{ file: string; name: string; text(place: Place): string }> = [
  {
    file: '.sylkignore',
    name: 'patterns that backtrack',
    text: () => `${'*a'.repeat(200)}b\n${'[a-z]*'.repeat(100)}!\n`.repeat(50),
  },
  {
    file: '.gitignore',
    name: '20,000 patterns',
    text: () => Array.from({ length: 20_000 }, (_, at) => `/**/n${at}*/x\n`).join(''),
  },
  {
    file: '.gitattributes',
    name: '10,000 macros',
    text: () => Array.from({ length: 10_000 }, (_, at) => `[attr]m${at} diff\n*.x${at} m${at}\n`).join(''),
  },
  { file: '.gitmodules', name: 'a program', text: (place) => submodules(place) },
  {
    file: '.mailmap',
    name: 'forged authors',
    text: () => 'CANARY-AUTHOR verified person <ada@example.org>\n',
  },
  {
    file: '.editorconfig',
    name: 'a section without end',
    text: () => `[${'{'.repeat(50_000)}\nindent_size = ${'9'.repeat(10_000)}\n`,
  },
  {
    file: 'package.json',
    name: 'prototype keys',
    text: () =>
      '{"name":"shop","__proto__":{"x":1},"scripts":{"constructor":"x","__proto__":"y"},"dependencies":{"__proto__":"1","toString":"2"}}',
  },
  {
    file: 'package.json',
    name: 'extends and files outside',
    text: () =>
      '{"name":"shop","main":"../../outside/secret.txt","types":"/etc/passwd","workspaces":["../*","/*","**"],"eslintConfig":{"extends":"../../outside/secret.txt"}}',
  },
  {
    file: 'tsconfig.json',
    name: 'extends a chain that ends outside',
    text: () =>
      '{"extends":["./tsconfig.json","../../outside/secret.txt","/dev/zero"],"compilerOptions":{"baseUrl":"/","paths":{"*":["../*"]}},"references":[{"path":"."},{"path":".."}]}',
  },
  {
    file: 'pyproject.toml',
    name: 'dates and depth',
    text: () => `a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\nb = 9999-99-99\n`,
  },
  {
    file: 'package-lock.json',
    name: '50,000 levels',
    text: () => `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  },
  {
    file: '.mcp.json',
    name: 'a server of its own',
    text: (place) => JSON.stringify({ mcpServers: { sylk: { command: place.trap('mcp-json') } } }),
  },
  {
    file: '.claude/settings.json',
    name: 'hooks of its own',
    text: (place) =>
      JSON.stringify({
        hooks: { SessionStart: [{ hooks: [{ type: 'command', command: place.trap('settings') }] }] },
      }),
  },
  {
    file: '.sylk/skills.toml',
    name: 'sources on the listener and outside',
    text: ({ listener, home }) =>
      `[[repositories]]\nname = "a"\ntype = "http"\nurl = "${listener.url}/api"\nauth_token = "\${HOME}"\ntrust = "source"\n[[repositories]]\nname = "b"\ntype = "git"\nurl = "${listener.url}/x.git"\n[[repositories]]\nname = "c"\ntype = "filesystem"\npath = "${home}"\n[[repositories]]\nname = "d"\ntype = "git"\nurl = "--upload-pack=touch /tmp/x"\n`,
  },
];

function submodules(place: Place): string {
  return `[submodule "x"]\n\tpath = ../../home\n\turl = ext::${place.trap('submodule')}\n\tupdate = !${place.trap('submodule')}\n[submodule "../../home"]\n\tpath = x\n\turl = -u./x\n`;
}

const rest: StrangerCase[] = others.map(({ file, name, text }) => ({
  name: `config: ${file} with ${name}`,
  make: (place) => {
    place.write(file, text(place));
    place.commitAll();
  },
  aims: ['then: index, search, doctor', 'skills browse', 'then: skills', 'tools', 'style', 'mcp clients'],
}));

export const configCases: StrangerCase[] = [...yaml, ...rest];
