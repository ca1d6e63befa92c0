import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { refusal } from './refusal.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

export type Lookup = (host: string) => Promise<ResolvedAddress[]>;

export interface AddressRules {
  /** `host` or `host:port` that may resolve to anything; from the person's own settings only. */
  allowHosts?: string[];
  /** Asked once for each host; tests pass their own. */
  lookup?: Lookup;
}

export interface VettedHost {
  host: string;
  port: number;
  address: string;
  family: 4 | 6;
}

/** Everything that is not somewhere on the public internet (IANA special-purpose registries). */
const reserved = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  reserved.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reserved.addSubnet(network, bits, 'ipv6');
}
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** Of version 6 only global unicast counts: mapped, translated and tunnelled forms of version 4 are refused whole. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*/s, '');
  const family = isIP(plain);
  if (family === 4) return !reserved.check(plain, 'ipv4');
  return family === 6 && globalV6.check(plain, 'ipv6') && !reserved.check(plain, 'ipv6');
}

/** Resolves once and judges every answer; what is connected to afterwards is the address answered here. */
export async function vetHost(url: URL, rules: AddressRules): Promise<VettedHost> {
  const host = plainHost(url);
  const port = portOf(url);
  const literal = isIP(host);
  const found = literal ? [{ address: host, family: literal }] : await resolve(host, rules.lookup);
  const [first] = found;
  if (!first) throw refusal('unknown_host', `${host} has no address.`);
  if (!isAllowed(host, port, rules.allowHosts ?? [])) {
    const inner = found.find(({ address }) => !isPublicAddress(address));
    if (inner) {
      throw refusal(
        'private_address',
        `${host} resolves to ${inner.address}, which is not a public address.`,
        {
          data: { host, address: inner.address },
        },
      );
    }
  }
  return { host, port, address: first.address, family: first.family === 6 ? 6 : 4 };
}

async function resolve(host: string, lookup: Lookup | undefined): Promise<ResolvedAddress[]> {
  try {
    return lookup ? await lookup(host) : await systemLookup(host, { all: true, verbatim: true });
  } catch (error) {
    throw refusal('unknown_host', `${host} could not be resolved.`, { data: { host }, cause: error });
  }
}

/** The same host, or one is a part of the other: `example.org`, `www.example.org`, `docs.example.org`. */
export function sameSite(a: URL, b: URL): boolean {
  const [one, other] = [plainHost(a).replace(/^www\./, ''), plainHost(b).replace(/^www\./, '')];
  if (one === other) return portOf(a) === portOf(b) || (isDefaultPort(a) && isDefaultPort(b));
  if (isIP(one) || isIP(other) || !one.includes('.') || !other.includes('.')) return false;
  return isDefaultPort(a) && isDefaultPort(b) && (one.endsWith(`.${other}`) || other.endsWith(`.${one}`));
}

const isAllowed = (host: string, port: number, allowed: string[]): boolean =>
  allowed.some((entry) => {
    const wanted = entry.trim().toLowerCase();
    return wanted === host || wanted === `${host}:${port}` || wanted === `[${host}]:${port}`;
  });

const plainHost = (url: URL): string =>
  url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

const standardPorts: Record<string, number> = { 'https:': 443, 'ssh:': 22 };
const standardPort = ({ protocol }: URL): number => standardPorts[protocol] ?? 80;
const portOf = (url: URL): number => (url.port === '' ? standardPort(url) : Number(url.port));
const isDefaultPort = (url: URL): boolean => portOf(url) === standardPort(url);
