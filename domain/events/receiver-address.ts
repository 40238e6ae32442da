import { invalidField, type ApiError } from '../errors.js';
import { contains, parseAddress, parseRange } from '../ip-range.js';

/**
 * Addresses that are not on the public internet: IANA's special-purpose registries, multicast, reserved
 * ranges, and Azure's metadata service, which has a public address.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map((range) => parseRange(range)!);

/** Global unicast. Excludes every form of embedded IPv4: mapped, compatible, translated (NAT64). */
const GLOBAL_IPV6 = parseRange('2000::/3')!;
/** Special ranges within `GLOBAL_IPV6`: protocol assignments including Teredo, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (range) => parseRange(range)!,
);

/** Names of internal networks: RFC 6761, 6762, 8375, and ICANN's `internal`. */
const SPECIAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa)$/;

/** True for a host name that is not public: it has no dot or belongs to an internal network. */
export const isInternalName = (host: string): boolean => !host.includes('.') || SPECIAL_NAMES.test(host);

/** True for an address on the public internet. False for a text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  if (address.kind() === 'ipv4') return !SPECIAL_IPV4.some((range) => contains(range, address));
  return contains(GLOBAL_IPV6, address) && !SPECIAL_IPV6.some((range) => contains(range, address));
}

const refused = (says: string): ApiError => invalidField('url', says);

/**
 * Checks the text of a webhook URL (docs/rules/events.md#receiver-addresses). The caller must check the
 * addresses to which the host name resolves with `isPublicAddress`. `allowPrivate` (development) permits
 * plain HTTP and every address. Errors: 422 `validation_failed` on `url`.
 */
export function readReceiverUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !schemes.includes(url.protocol)) throw refused('must be an https URL');
  if (url.username || url.password) throw refused('must not contain a user name or password');
  if (allowPrivate) return url;
  // The URL parser has already normalized 0x7f.1, 2130706433 and similar to 127.0.0.1.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isAddress = parseAddress(host) !== null;
  const isPublic = isAddress ? isPublicAddress(host) : !isInternalName(host);
  if (!isPublic) throw notPublic();
  return url;
}

/** Returns the error for a receiver that is not on the public internet. */
export function notPublic(): ApiError {
  return refused('must resolve to an address on the public internet');
}
