import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Parser } from 'web-tree-sitter';
import { product } from '../files/index.ts';
import { once } from '../once.ts';

/**
 * Starts the parser. V8 compiles WebAssembly when it is first called, and what is hot a second time, for speed. The
 * parser itself gains a third by that. A grammar does not: its lexer is one huge function, whose second compilation
 * takes 400 to 500 MB for some seconds. What may be compiled twice is decided when it is compiled first, so the parser
 * is compiled at once and the second compilation is switched off behind it, before any grammar comes.
 */
export const startEngine = once(() => {
  setFlagsFromString('--wasm-tier-up --wasm-dynamic-tiering --no-wasm-lazy-compilation');
  const file = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  const engine = new WebAssembly.Module(product.read(file));
  setFlagsFromString('--no-wasm-tier-up --no-wasm-dynamic-tiering --wasm-lazy-compilation');
  return Parser.init({
    instantiateWasm: (imports: object, receive: (instance: object, module: object) => void) => {
      const instance = new WebAssembly.Instance(engine, imports);
      receive(instance, engine);
    },
  });
});

/** The types of Node leave it to those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
};
