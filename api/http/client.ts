import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Context } from 'koa';
import { ApiError } from '../../domain/errors.js';
import { parseRange } from '../../domain/ip-range.js';
import type { Handler } from './context.js';

/** `192.0.2.7:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`: some proxies add the port. */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Used for an address that cannot be parsed. */
const UNKNOWN = '0.0.0.0';

/**
 * The client's address without its port: the one that the outermost trusted proxy saw, never one that a
 * client sent (koa's `ips` with `maxIpsCount`). IPv4-mapped IPv6 is returned as IPv4. Without trusted
 * proxies, or without the header, it is the socket's. An unreadable entry is `0.0.0.0` rather than the
 * socket's address: that would be the proxy's, and an allowlist that contains the proxy would admit everyone.
 * `0.0.0.0` is in no allowlist except one for all of IPv4, and all such clients share one bucket.
 */
export function clientAddress(ctx: Context): string {
  const [entry = ctx.req.socket.remoteAddress ?? ''] = ctx.ips;
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? entry).split('%');
  if (isIP(address) !== 6) return isIP(address) ? address : UNKNOWN;
  const [parsed] = parseRange(address) ?? [];
  return parsed?.kind() === 'ipv4' ? parsed.toString() : address;
}

/** True if the request used https, to this process or to the outermost trusted proxy. */
export function isHttps(ctx: Context, trustedProxies: number): boolean {
  if ((ctx.req.socket as Partial<TLSSocket>).encrypted) return true;
  if (trustedProxies === 0) return false;
  const [scheme] = ctx
    .get('x-forwarded-proto')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .slice(-trustedProxies);
  return scheme === 'https';
}

/**
 * Rejects requests through a proxy, for routes that are reached only from inside. Errors: 404 `not_found`.
 */
export const notForwarded: Handler = async (ctx, next) => {
  if (ctx.get('x-forwarded-for') || ctx.get('forwarded'))
    throw new ApiError('not_found', 'This path does not exist.');
  await next();
};
