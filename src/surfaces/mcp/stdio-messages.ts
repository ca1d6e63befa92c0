import { Transform } from 'node:stream';
import {
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import { objectOf } from '../../base/json.ts';

/** The longest accepted line, in bytes. */
export const maxLineBytes = 10 * 1024 * 1024;

interface ErrorAnswer {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/**
 * Passes on the lines that are JSON-RPC messages. Every other line is answered with the matching JSON-RPC error
 * and dropped (an overlong line without buffering it); reading continues with the next line.
 */
export function messagesOnly({
  answer,
  request,
}: {
  answer(error: ErrorAnswer): void;
  /** Called with the id of every message that expects an answer. */
  request(id: string | number): void;
}): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  let isInitialized = false;
  /** Asked of every request. Without a handshake a request has to say which version of the protocol it speaks. */
  const isTooEarly = (method: string, params: unknown): boolean => {
    isInitialized ||= method === 'initialize';
    const version = objectOf(objectOf(params)['_meta'])[PROTOCOL_VERSION_META_KEY];
    return !isInitialized && version === undefined && !handshake.has(method);
  };
  const add = (part: Buffer) => {
    const before = size;
    size += part.length;
    if (size <= maxLineBytes) parts.push(part);
    else parts = [];
    if (before <= maxLineBytes && size > maxLineBytes)
      answer(failure(ProtocolErrorCode.InvalidRequest, `A message can have at most ${maxLineBytes} bytes.`));
  };
  const takeLine = (): Buffer => {
    const line = Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, end + 1));
        from = end + 1;
        const line = takeLine();
        const problem = problemOf(line.toString('utf8').trim(), { request, isTooEarly });
        if (problem === undefined) this.push(line);
        else if (problem !== 'unanswered') answer(problem);
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
  });
}

const failure = (code: number, message: string, id: string | number | null = null): ErrorAnswer => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/** Requests that may come before a client and a server know each other. */
const handshake = new Set(['ping', 'server/discover']);

function problemOf(
  line: string,
  {
    request,
    isTooEarly,
  }: { request(id: string | number): void; isTooEarly(method: string, params: unknown): boolean },
): ErrorAnswer | 'unanswered' | undefined {
  if (line === '') return 'unanswered';
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure(ProtocolErrorCode.ParseError, 'The line is not valid JSON.');
  }
  try {
    const parsed = parseJSONRPCMessage(message);
    if (!('method' in parsed && 'id' in parsed)) return undefined;
    if (isTooEarly(parsed.method, parsed.params))
      return failure(
        ProtocolErrorCode.InvalidRequest,
        `Send initialize before ${JSON.stringify(parsed.method.slice(0, 80))}.`,
        parsed.id,
      );
    request(parsed.id);
    return undefined;
  } catch {
    return invalid(message);
  }
}

function invalid(message: unknown): ErrorAnswer | 'unanswered' {
  const { InvalidRequest } = ProtocolErrorCode;
  if (Array.isArray(message))
    return failure(InvalidRequest, 'Batches are not supported. Send one message per line.');
  const { id, method } = objectOf(message);
  // A response is never answered: two programs that reject each other's errors would loop forever.
  const isAnswer = Object(message) === message && ('result' in Object(message) || 'error' in Object(message));
  if (isAnswer && method === undefined) return 'unanswered';
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return failure(
    InvalidRequest,
    'Not a JSON-RPC 2.0 message: it needs "jsonrpc": "2.0", a method, and for a request an id that is a string or a whole number.',
    known,
  );
}
