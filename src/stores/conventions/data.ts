import { parse } from 'smol-toml';
import { product } from '../../base/files/index.ts';
import { once } from '../../base/once.ts';

/** A table of data/, parsed when it is first needed. data.test.ts checks each file against its schema. */
export const table = <T>(name: string) =>
  once(() => parse(product.read(new URL(`./data/${name}.toml`, import.meta.url)).toString('utf8')) as T);
