/** A name in a sentence: quoted as code, or a word that may be one. */
export interface Named {
  name: string;
  /** Unambiguously a name: quoted, called, in camel or snake case, with a scope, a dash or a digit. */
  sure: boolean;
}

const fileEnding =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kts?|swift|rb|php|cs|c|h|cc|cpp|hpp|sh|md|mdx|rst|txt|json|ya?ml|toml|sql|css|scss|html|vue|svelte|proto|lock|cfg|ini|env)$/i;

export const isPath = (name: string): boolean =>
  /^[\w@.][\w@./-]*$/.test(name) && (fileEnding.test(name) || (/\/$/.test(name) && name.length > 2));

/** `src/a.ts`, as people write paths: without `./`, `:12` and a period. */
export const cleanName = (text: string): string =>
  text
    .replace(/^[`'"*(]+|[`'"*),;:!?]+$/g, '')
    .replace(/\(\.{0,3}\)?$/, '')
    .replace(/:\d+(?:-\d+)?$/, '')
    .replace(/^([a-z][\w-]*)#\w+$/, '$1')
    .replace(/^\.\//, '')
    .replace(/\.+$/, '')
    .replace(/[`'"*),;:]+$/, '');

const commonWords = new Set(
  `a an and any are as at all app be both but by can case change changes check checks class code could data default each error errors
  every few file files first fix for from function get have how if in into is it its just less like list local many more most much
  name native never new no not now of on one only or other our own page proper same set several should simple single so some such
  support test tests than that the their them then there these they this those time to too two type types up us use used user users
  using value values very was way we were what when where which while who why will with without work would you your yours
  node git github http https json yaml api cli docs readme javascript es6 esm es2015 commonjs ci`
    .split(/\s+/)
    .filter(Boolean),
);

/** Words with an English ending: a package may have such a name, but a plain sentence does not mean it. */
const abstractEnding =
  /(?:tion|sion|ment|ness|ity|ance|ence|ing|ings|able|ible|ally|ly|ive|ous|ful|less|ers|ors|ings|ups|ists?)$/;

/** Small words that packages are called by; "used next to the total" does not mean one. */
const smallWords = new Set(
  'next over then again still here there once well even also only just back down off out about above after before below near next since until while per via yet'.split(
    ' ',
  ),
);

export const isOrdinary = (word: string): boolean =>
  smallWords.has(word) ||
  word.length < 2 ||
  commonWords.has(word.toLowerCase()) ||
  (word === word.toLowerCase() && abstractEnding.test(word));

export function readName(text: string): Named | undefined {
  const quoted = /^`[^`]+`$/.test(text.trim());
  const called = /\w\(\.{0,3}\)`?[.,;:]?$/.test(text.trim());
  const name = cleanName(text.trim());
  if (!/[A-Za-z]/.test(name) || /\s/.test(name) || !/^[@\w$.][\w$@./:#-]*$/.test(name) || /^\d/.test(name))
    return undefined;
  // A URL, and a path without a file: code can confirm neither.
  if (/\.(?:com|org|net|io|dev|ai)$/.test(name) || (/^[\w.-]+(?:\/[\w.-]+)+$/.test(name) && !isPath(name)))
    return undefined;
  const shaped =
    /[a-z\d][A-Z]|[a-zA-Z]_[a-zA-Z]|^@[\w-]+\/|^[A-Z]{2,}[a-z]/.test(name) ||
    isPath(name) ||
    (/^[a-z][a-z\d]*(?:-[a-z\d]+)+$/.test(name) &&
      !/^(?:re|non|pre|un|self|in|out|built|well|so)-/.test(name));
  return { name, sure: quoted || called || shaped };
}

/** A name, in or out of backticks. */
const one = '(?:`[^`\\s]+`|[@\\w$.][\\w$@./:#-]*(?:\\(\\.{0,3}\\))?)';
/** One or several: `a`, `a and b`, `a, b and c`. */
export const namePattern = one;
export const listPattern = `${one}(?:(?:, (?:and )?| and | & | \\+ |/)${one}){0,5}`;

export const readNames = (text: string): Named[] =>
  text
    .split(/, (?:and )?| and | & | \+ /)
    .map((part) => readName(part))
    .filter((found): found is Named => found !== undefined && !(isOrdinary(found.name) && !found.sure));

/** "use React Router to" names the package react-router, if there is one. */
export const joinTitles = (text: string): string =>
  text
    .replace(/\bRuby on Rails\b/g, 'ruby-on-rails')
    .replace(/\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)/g, '')
    .replace(
      /(?<=(?:^|\b)(?:[Uu]s(?:e|es|ed|ing)|[Cc]hoo?se|[Cc]hosen|[Ss]elect(?:ed)?|[Pp]ick(?:ed)?|[Aa]dopt(?:s|ed)?|with|on|via|by|to|in|^[A-Z][\w /-]*:) "?)(?!(?:Use|Add|Adopt|Keep|Choose|Replace|Move|Remove|Fix|Update|Create|Introduce|Implement) )[A-Z][a-z]\w*(?: [A-Z]\w*){1,2}(?= v?\d| (?:for|to|as|in|because|since|and)\b| [(]|[.,;"]|$)/g,
      (title) => title.toLowerCase().replaceAll(' ', '-'),
    );

/** Folders that show, try or describe the project, or hold what others wrote: what they declare isn't the project's. */
export const isBesideProject = (path: string): boolean =>
  /(?:^|\/)(?:demos?|examples?|samples?|(?:[\w-]+-)?tests?|__tests__|specs?|e2e|fixtures?|testdata|docs?(?:-site)?|vendor|third_party|managed_components|bench(?:es|marks?)?)\//i.test(
    path,
  );

/** One spelling for names of packages that differ only in how they are written. */
export const writtenName = (name: string): string =>
  name.toLowerCase().replace(/\.js$/, '').replace(/[_.]/g, '-');

/** A Go module and a Composer package are called by their last part. */
export function waysToWrite(name: string): string[] {
  const ways = [writtenName(name)];
  const [last = name] = name
    .replace(/\/v\d+$/, '')
    .split('/')
    .reverse();
  if (!name.startsWith('@') && name.includes('/')) ways.push(writtenName(last));
  return ways;
}
