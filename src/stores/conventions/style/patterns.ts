import type { Facts } from '../../../base/syntax/index.ts';
import { count, type Tally } from './tally.ts';

type Pattern = [aspect: string, value: string, pattern: RegExp];

const script: Pattern[] = [
  ['error_handling', 'try-catch', /\bcatch\s*(\(|\{)/g],
  ['error_handling', 'promise-catch', /\.catch\(/g],
  ['error_handling', 'Result', /\b(neverthrow|Result<|\.isErr\(\)|\.isOk\(\)|Either<|Effect\.fail)/g],
  ['error_handling', 'early-return', /^\s*if\s*\(.*\)\s*(\{\s*)?throw\b/gm],
  [
    'custom_errors',
    'yes',
    /\bclass\s+\w+\s+extends\s+\w*Error\b|throw new (?!(?:Type|Range|Syntax|Reference|Eval|URI)?Error\b)\w*(?:Error|Exception)\b/g,
  ],
  ['async_style', 'async-await', /\bawait\b/g],
  ['async_style', 'promises', /\.then\(/g],
  ['async_style', 'callbacks', /\((?:err|error|e)\s*(?:,|\)\s*(?:=>|\{))|function\s*\((?:err|error)\b/g],
  [
    'export_style',
    'named',
    /^export\s+(?!default\b)(?:(?:async\s+)?function|class|const|let|interface|type|enum|abstract|declare|\{)|^exports\.\w+\s*=/gm,
  ],
  ['export_style', 'default', /^export\s+default\b|^module\.exports\s*=/gm],
  ['hooks', 'yes', /\buse(State|Effect|Memo|Callback|Ref|Context|Reducer)\(/g],
];

/** What to look for in a language: each value of a pattern with the text that shows it. */
const patterns: Record<string, Pattern[]> = {
  typescript: script,
  tsx: script,
  javascript: script,
  python: [
    ['error_handling', 'try-except', /^\s*except\b/gm],
    ['error_handling', 'early-return', /^\s*if .*:\n\s+raise\b/gm],
    ['custom_errors', 'yes', /^class\s+\w+\(.*(?:Error|Exception)\):/gm],
    ['async_style', 'async-await', /\bawait\b/g],
    ['async_style', 'threads', /\b(threading\.|ThreadPoolExecutor|ProcessPoolExecutor)/g],
    ['export_style', '__all__', /^__all__\s*=/gm],
  ],
  go: [
    ['error_handling', 'error-return', /\bif (\w+ :?= .*; )?err != nil/g],
    ['error_handling', 'panic', /\bpanic\(/g],
    ['custom_errors', 'yes', /\berrors\.(New|Is|As)\(|fmt\.Errorf\([^)]*%w/g],
    ['async_style', 'goroutines', /\bgo (func\b|\w+[.(])/g],
    ['async_style', 'channels', /\bmake\(chan\b|<-/g],
  ],
  rust: [
    ['error_handling', 'Result', /\bResult<|\?;|\?\./g],
    ['error_handling', 'unwrap', /\.(unwrap|expect)\(/g],
    ['custom_errors', 'yes', /\bthiserror\b|impl .*std::error::Error for|impl Error for/g],
    ['async_style', 'async-await', /\.await\b/g],
    ['async_style', 'threads', /thread::spawn/g],
  ],
  java: [
    ['error_handling', 'try-catch', /\bcatch\s*\(/g],
    ['error_handling', 'Optional', /\bOptional</g],
    ['custom_errors', 'yes', /class\s+\w+\s+extends\s+\w*Exception\b/g],
    ['async_style', 'futures', /\bCompletableFuture\b/g],
    ['async_style', 'threads', /\bnew Thread\(|ExecutorService/g],
  ],
  kotlin: [
    ['error_handling', 'try-catch', /\bcatch\s*\(/g],
    ['error_handling', 'Result', /\brunCatching\b|\bResult</g],
    ['async_style', 'coroutines', /\bsuspend fun\b|\blaunch\s*\{|\basync\s*\{/g],
  ],
  csharp: [
    ['error_handling', 'try-catch', /\bcatch\b/g],
    ['custom_errors', 'yes', /class\s+\w+\s*:\s*\w*Exception\b/g],
    ['async_style', 'async-await', /\bawait\b/g],
  ],
  ruby: [
    ['error_handling', 'begin-rescue', /\brescue\b/g],
    ['error_handling', 'early-return', /^\s*raise\b.*\b(if|unless)\b/gm],
    ['custom_errors', 'yes', /class\s+\w+\s*<\s*\w*Error\b/g],
  ],
  php: [
    ['error_handling', 'try-catch', /\bcatch\s*\(/g],
    ['error_handling', 'early-return', /^\s*if\s*\(.*\)\s*\{\n\s*throw\b/gm],
    ['custom_errors', 'yes', /class\s+\w+\s+extends\s+\\?\w*Exception\b/g],
  ],
  swift: [
    ['error_handling', 'do-catch', /\bcatch\b/g],
    ['error_handling', 'guard', /^\s*guard\b/gm],
    ['error_handling', 'Result', /\bResult</g],
    ['async_style', 'async-await', /\bawait\b/g],
  ],
  c: [
    ['error_handling', 'return-code', /\breturn\s+(-1|NULL|E[A-Z]+)\s*;/g],
    ['error_handling', 'goto-cleanup', /\bgoto\s+\w+;/g],
  ],
  cpp: [
    ['error_handling', 'try-catch', /\bcatch\s*\(/g],
    ['error_handling', 'return-code', /\breturn\s+(-1|nullptr|false)\s*;/g],
    ['error_handling', 'expected', /\bstd::(expected|optional)</g],
  ],
  bash: [
    ['error_handling', 'set -e', /^\s*set\s+-[a-z]*e/gm],
    ['error_handling', 'trap', /^\s*trap\b/gm],
    ['error_handling', 'or-exit', /\|\|\s*(exit|return|die)\b/g],
  ],
};

export function tallyPatterns(text: string, language: string, facts: Facts, tally: Tally): void {
  for (const [aspect, value, pattern] of patterns[language] ?? []) {
    const matches = [...text.matchAll(pattern)];
    if (matches.length > 0)
      count(tally, `patterns.${aspect}`, value, lineAt(text, matches[0]!), matches.length);
  }
  if (language !== 'tsx' && language !== 'javascript') return;
  for (const definition of facts.definitions) {
    if (definition.parent !== -1 || !/^[A-Z][a-z]/.test(definition.name)) continue;
    const body = text.slice(definition.start, definition.end);
    if (definition.kind === 'class' && /extends\s+(React\.)?(Pure)?Component\b/.test(body)) {
      count(tally, 'patterns.component_style', 'class', definition.line);
      count(tally, 'naming.components', 'PascalCase', definition.line);
    } else if (definition.kind === 'function' && /<[A-Za-z>]/.test(body)) {
      count(tally, 'patterns.component_style', 'functional', definition.line);
      count(tally, 'naming.components', 'PascalCase', definition.line);
    }
  }
}

function lineAt(text: string, match: RegExpExecArray): number {
  const lead = /^\s*/.exec(match[0])![0].length;
  return text.slice(0, match.index + lead).split('\n').length;
}
