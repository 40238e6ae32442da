export interface Address {
  bits: 32 | 128;
  value: bigint;
}

/** A network: the addresses that share their first `prefix` bits with `value`. */
export interface Range extends Address {
  prefix: number;
}

/** Parses an address in any notation; null if the text is not an address. */
export function parseAddress(text: string): Address | null {
  if (/^\d+(\.\d+){3}$/.test(text)) {
    const parts = text.split('.').map(Number);
    if (parts.some((part) => part > 255)) return null;
    return { bits: 32, value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) };
  }
  if (!text.includes(':') || !URL.canParse(`http://[${text}]/`)) return null;
  // The URL parser normalizes every notation, an embedded IPv4 address to hex.
  const [head = '', tail = ''] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [left, right] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right];
  return { bits: 128, value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) };
}

const MAPPED_IPV4 = 0xffffn;

/**
 * Parses a range in CIDR notation, or a single address as a range of one; null if the text is neither. Bits after the
 * prefix are dropped; IPv4 mapped into IPv6 becomes IPv4.
 */
export function parseRange(text: string): Range | null {
  const [, network, length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = network === undefined ? null : parseAddress(network);
  if (!address) return null;
  const { bits } = address;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  const rest = BigInt(bits - prefix);
  const value = (address.value >> rest) << rest;
  if (bits === 128 && prefix >= 96 && value >> 32n === MAPPED_IPV4)
    return { bits: 32, prefix: prefix - 96, value: value & 0xffffffffn };
  return { bits, prefix, value };
}

/** A range in CIDR notation. */
export function formatRange({ bits, value, prefix }: Range): string {
  if (bits === 32) {
    const parts = [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn);
    return `${parts.join('.')}/${prefix}`;
  }
  const groups = Array.from({ length: 8 }, (_, n) => (value >> BigInt(112 - 16 * n)) & 0xffffn);
  const { hostname } = new URL(`http://[${groups.map((group) => group.toString(16)).join(':')}]/`);
  return `${hostname.slice(1, -1)}/${prefix}`;
}

/** True if `outer` contains every address of `inner`. */
export function isWithin(inner: Range, outer: Range): boolean {
  const rest = BigInt(outer.bits - outer.prefix);
  return (
    inner.bits === outer.bits && inner.prefix >= outer.prefix && inner.value >> rest === outer.value >> rest
  );
}
