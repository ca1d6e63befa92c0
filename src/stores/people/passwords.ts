import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { SylkError } from '../../base/errors.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
/** OWASP's figures for scrypt; 128 MiB for each guess. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const bytes = 32;
const shortest = 12;

export async function hashPassword(password: string): Promise<string> {
  if (password.length < shortest)
    throw new SylkError('VALIDATION_ERROR', `A password needs at least ${shortest} characters.`, {
      hint: 'Four or five random words make a good one.',
    });
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, bytes, cost);
  return `${salt.toString('base64url')}.${hash.toString('base64url')}`;
}

const nobody = `${randomBytes(16).toString('base64url')}.${randomBytes(bytes).toString('base64url')}`;

/** Takes as long for an unknown name as for a wrong password. */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [salt = '', expected = ''] = (stored ?? nobody).split('.');
  const hash = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), bytes, cost);
  return timingSafeEqual(hash, Buffer.from(expected, 'base64url')) && typeof stored === 'string';
}
