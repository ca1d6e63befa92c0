import { shuffled } from '../random.ts';
import { linesOf } from './programs.ts';
import type { Question } from './question.ts';

export interface Tag {
  name: string;
  path: string;
  line: number;
  kind: string;
  language: string;
}

const defined = new Set(
  'function method class struct interface enum trait macro func type typedef'.split(' '),
);
const isTest =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|fixtures?|bench|benchmarks?|examples?|demos?|docs?|www|vendor|modules)(?:[/._-]|$)/i;

/** Definitions as universal-ctags finds them. */
export const tagsOf = (root: string, fewestLetters = 4): Tag[] =>
  linesOf(root, 'sh', ['-c', 'git ls-files | ctags -L - --output-format=json --fields=+nKl -f - 2>/dev/null'])
    .filter((line) => line.startsWith('{"_type": "tag"'))
    .map((line) => JSON.parse(line) as Tag)
    .filter(
      (tag) =>
        tag.name.length >= fewestLetters &&
        /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(tag.name) &&
        !/^(?:__anon|Anonymous)/.test(tag.name),
    );

/** Names that are defined once outside of tests: the definition is the answer. */
export function definitions(tags: Tag[], count: number, random: () => number): Question[] {
  const byName = new Map<string, Tag[]>();
  for (const tag of tags)
    if (defined.has(tag.kind)) byName.set(tag.name, [...(byName.get(tag.name) ?? []), tag]);
  const once = [...byName.values()].filter((all) => all.filter((tag) => !isTest.test(tag.path)).length === 1);
  return shuffled(once, random)
    .slice(0, count)
    .map((all, at): Question => {
      const tag = all.find((one) => !isTest.test(one.path)) ?? all[0]!;
      const wordings = [`where is ${tag.name}`, `where is ${tag.name} defined`, `find ${tag.name}`];
      return {
        kind: 'definition',
        text: wordings[at % wordings.length] ?? '',
        gold: `${tag.path}:${tag.line}`,
        isRight: ({ place }) => holdsLine(place, tag.path, tag.line),
        byHand: {
          command: 'rg',
          args: [
            '-n',
            '--no-heading',
            '--sort=path',
            '-w',
            `(function|class|def|fn|func|struct|interface|enum|trait|type|#define|const|let|var) +(\\(.*\\) +)?${tag.name}`,
            '.',
          ],
          isRight: (line) => line.startsWith(`./${tag.path}:${tag.line}:`),
        },
      };
    });
}

/** `path:12` or `path:10-20` that has the line in it, within a few lines of its start. */
function holdsLine(place: string, path: string, line: number): boolean {
  const [, at, from = '0', to = from] = /^(.*?):(\d+)(?:-(\d+))?$/.exec(place) ?? [];
  return at === path && Number(from) - 3 <= line && line <= Math.max(Number(to), Number(from) + 3);
}

const literal = String.raw`(-?\d[\d_.]*[a-zA-Z]*|"[^"\n]{1,60}"|'[^'\n]{1,60}')`;
const constantLine = new RegExp(
  String.raw`^\s*(?:export\s+|pub(?:\([a-z]+\))?\s+)?(?:const\s+|static\s+|#\s*define\s+|let\s+|final\s+)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?:\s*:\s*[^=]+?)?\s*(?:=|\s)\s*${literal}\s*(?:[;,]|//.*|/\*.*|#.*)?\s*$`,
);

/** Constants whose name is given a number or a text in exactly one line of the code. */
export function constants(root: string, count: number, random: () => number): Question[] {
  const found = new Map<string, Array<{ path: string; line: number; value: string }>>();
  for (const hit of linesOf(root, 'rg', [
    '-n',
    '--no-heading',
    '-e',
    String.raw`\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b.*[0-9"']`,
    '.',
  ])) {
    const [, path = '', line = '', text = ''] = /^\.\/(.*?):(\d+):(.*)$/.exec(hit) ?? [];
    const [, name, value] = constantLine.exec(text) ?? [];
    if (!name || !value || isTest.test(path) || !/\.(?:[cm]?[jt]sx?|py|go|rs|c|h|cc|cpp|java|rb)$/.test(path))
      continue;
    found.set(name, [...(found.get(name) ?? []), { path, line: Number(line), value }]);
  }
  const once = [...found].filter(([, places]) => places.length === 1);
  return shuffled(once, random)
    .slice(0, count)
    .map(([name, [place]], at): Question => {
      const { path, line, value } = place!;
      const wordings = [
        `what is the value of ${name}`,
        `what is ${name} set to`,
        `what is the default of ${name}`,
      ];
      return {
        kind: 'constant',
        text: wordings[at % wordings.length] ?? '',
        gold: `${path}:${line} ${value}`,
        isRight: (cited) =>
          cited.place.startsWith(path) &&
          (holdsLine(cited.place, path, line) || cited.text.includes(name)) &&
          cited.text.includes(value),
        byHand: {
          command: 'rg',
          args: ['-n', '--no-heading', '--sort=path', '-w', name, '.'],
          isRight: (hit) => hit.startsWith(`./${path}:${line}:`),
        },
      };
    });
}

const subjects =
  `kubernetes ingress controller|OAuth refresh token rotation|bluetooth pairing|GPU shader compilation|payroll tax withholding
blockchain wallet signing|SAML assertion validation|PDF watermark rendering|barcode scanner|video transcoding bitrate|LDAP group sync
invoice dunning schedule|fingerprint enrolment|MQTT broker reconnect|satellite telemetry|terraform drift detection|SMS two factor
GraphQL federation gateway|shopping cart checkout|apache kafka consumer lag|elasticsearch shard rebalancing|stripe webhook refund
voice synthesis phoneme|DNS zone transfer|printer spool quota|raytracing denoiser|credit score underwriting|hotel booking overbooking
flux capacitor calibration|zzqqxx frobnicate`
    .split(/[|\n]/)
    .map((one) => one.trim());

/** Subjects none of whose words is in the repository, and subjects made of words of one documented definition. */
export function subjectsHere(root: string, tags: Tag[], count: number, random: () => number): Question[] {
  const wordings = (subject: string) => [
    `how does ${subject} work`,
    `where is the ${subject}`,
    `how do we do ${subject}?`,
    subject,
  ];
  const none = { command: 'rg', args: ['-il', '', '.'], isRight: () => false };
  const absent = subjects.filter((subject) =>
    subject
      .split(' ')
      .every(
        (word) => linesOf(root, 'rg', ['-il', '--max-count=1', word, '.']).length === 0 || word.length < 4,
      ),
  );
  const named = shuffled(
    tags.filter((tag) => defined.has(tag.kind) && !isTest.test(tag.path) && wordsOf(tag.name).length >= 2),
    random,
  );
  const question = (kind: 'absent' | 'present', subject: string, at: number): Question => ({
    kind,
    text: wordings(subject)[at % 4] ?? '',
    gold: subject,
    isRight: () => true,
    byHand: none,
  });
  return [
    ...absent.slice(0, count).map((subject, at) => question('absent', subject, at)),
    ...named.slice(0, count).map((tag, at) => question('present', wordsOf(tag.name).join(' '), at)),
  ];
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_$]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 3);
