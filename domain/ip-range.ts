import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: those that share their first `prefix` bits with `address`. */
export type IpRange = [address: Address, prefix: number];

/**
 * Parses an address: IPv4 as four decimal numbers, IPv6 in any notation; null if the text is not an address.
 */
export function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes(':') || text.includes('%')) return null;
  try {
    return ipaddr.IPv6.parse(text);
  } catch {
    return null;
  }
}

/**
 * Parses a range in CIDR notation, or a single address as a range of one address; null if the text is
 * neither. An IPv4-mapped IPv6 address becomes IPv4.
 */
export function parseRange(text: string): IpRange | null {
  const [, network, length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = network === undefined ? null : parseAddress(network);
  if (!address) return null;
  const bits = address instanceof ipaddr.IPv4 ? 32 : 128;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  const isMapped = address instanceof ipaddr.IPv6 && prefix >= 96 && address.isIPv4MappedAddress();
  return isMapped ? [address.toIPv4Address(), prefix - 96] : [address, prefix];
}

/** Writes a range in CIDR notation. Bits after the prefix are dropped. */
export function formatRange([address, prefix]: IpRange): string {
  const network = (address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(
    `${address.toString()}/${prefix}`,
  );
  return `${network instanceof ipaddr.IPv4 ? network.toString() : network.toRFC5952String()}/${prefix}`;
}

/** True if the range contains the address. IPv4 ranges never contain IPv6 addresses, nor the reverse. */
export const contains = ([network, prefix]: IpRange, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, prefix);

/** True if `outer` contains every address of `inner`. */
export const isWithin = ([address, prefix]: IpRange, outer: IpRange): boolean =>
  prefix >= outer[1] && contains(outer, address);
