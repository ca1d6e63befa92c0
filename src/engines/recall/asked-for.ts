import { stem } from '../../base/text/index.ts';

/** Words that ask and name nothing. */
export const asking = new Set(
  'how what where which when who why is are does do did can could should would work works happen happens decide handled handle used use using find there called name mean support supported allowed returned done implement implemented default'
    .split(' ')
    .map(stem),
);

export interface AskedFor {
  /** A number, a name, a setting: the line that gives it. */
  value: boolean;
  tests: boolean;
  documents: boolean;
  settings: boolean;
}

const asksValue =
  /\bby default\b|^how (?:many|long|big|large|wide|often|much|deep|high|far)\b|^(?:what|which)(?:'s| is| are)? (?:the )?(?:default|max\w*|min\w*|name|number|value|size|limit|length|maximum|status|exit|url|port|timeout|prefix|suffix|format)\b|^(?:what|which) \w+ (?:codes?|numbers?|ports?|values?|schemes?|formats?|names?) /i;

export function askedFor(text: string): AskedFor {
  return {
    value: asksValue.test(text),
    tests: /(?<!\b(?:for|in|during|by) )\b(?:tests?|testing|specs?|coverage|fixtures?)\b/i.test(text),
    documents:
      /\b(?:docs?|documentation|documented|readme|guide|tutorial|changelog|contribut\w+)\b|^how (?:do|can|should|would) (?:I|we|you)\b|^how to\b/i.test(
        text,
      ),
    settings:
      /\b(?:ci|workflows?|pipelines?|config\w*|settings?|package|dependenc\w+|version|release|publish\w*|deploy\w*|build|built|lint\w*|install\w*)\b/i.test(
        text,
      ),
  };
}

const asideFolders =
  /(?:^|\/)(?:bench(?:mark)?s?|perf(?:ormance)?[-_\w]*|examples?|samples?|demos?|fuzz|vendor|third_party|website|site|scripts?|contrib|_site)\//i;
export const dataFile =
  /\.(?:json5?|jsonc|ya?ml|toml|lock|csv|tsv|xml|svg|html?|ipynb|ini|cfg|conf|properties|gemfile|snap|txt)$/i;
export const documentFile = /\.(?:mdx?|rst|adoc|markdown)$|(?:^|\/)docs?\//i;

/** Beside the code: examples, benchmarks, scripts. */
export const isAside = (path: string): boolean => asideFolders.test(path);
