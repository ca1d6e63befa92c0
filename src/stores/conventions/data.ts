import { parse } from 'smol-toml';
import { product } from '../../base/files/index.ts';
import { once } from '../../base/once.ts';

/**
 * A table of data/, parsed on first use. Texts under the keys of `patterns` become regular expressions.
 * data.test.ts checks each file against its schema.
 */
export const table = <T>(name: string, patterns: string[] = []) =>
  once(() => {
    const text = product.read(new URL(`./data/${name}.toml`, import.meta.url)).toString('utf8');
    return JSON.parse(JSON.stringify(parse(text)), (key, value) =>
      typeof value === 'string' && patterns.includes(key) ? new RegExp(value, 'm') : value,
    ) as T;
  });
