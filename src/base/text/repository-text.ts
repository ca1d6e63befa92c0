const forAgents = /(?:^|\/)(?:\.sylk|\.agents\/skills|\.claude\/skills)\//i;

/** Skills of a repository and its settings for us: they speak to agents, and say nothing before a person trusts them. */
export const isForAgents = (path: string): boolean => forAgents.test(path);

const proseOrSettings =
  /\.(?:md|mdx|markdown|rst|adoc|txt|json|jsonc|json5|ya?ml|toml|html?|xml|svg|csv|ini|cfg|conf|properties)$|(?:^|\/)(?:go\.mod|README|LICEN[CS]E|NOTICE|COPYING|AUTHORS|CHANGELOG|CONTRIBUTING|CODEOWNERS)$/i;

/** Prose and settings, by the name of the file: whoever can commit can write anything there, and nothing runs it. */
export const isProseOrSettings = (path: string): boolean =>
  proseOrSettings.test(path) && !path.endsWith('CMakeLists.txt');

const testMark = /(?:^|[./_-])(?:tests?|specs?|__tests__|testing)(?:[./_-]|$)/i;

/** `PathTest.java`, `PathTests.cs`, `PathSpec.kt`, `AdapterTestUtilities/`. */
const testName =
  /[\p{Ll}\p{N}](?:Tests?|TestCase|Specs?)\.\w+$|[\p{Ll}\p{N}]Test(?:s|ing|Support|Util\w*|Helpers?)?\//u;

/** Whether a file is a test, or helps tests, by its name and its folders. */
export const isTestPath = (path: string): boolean => testMark.test(path) || testName.test(path);
