import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Context } from 'koa';

const MAPPED_IPV4 = /^::ffff:(\d+(\.\d+){3})$/i;

/**
 * The client's address: what the outermost of the trusted proxies saw, never what a client wrote (koa's `ip`, with
 * `maxIpsCount`). IPv4 in IPv6's clothes comes out as IPv4. Where a proxy gives no address, its own counts.
 */
export function clientAddress(ctx: Context): string {
  const given = isIP(ctx.ip) ? ctx.ip : (ctx.req.socket.remoteAddress ?? '');
  const [address = ''] = given.split('%');
  return MAPPED_IPV4.exec(address)?.[1] ?? (isIP(address) ? address : '0.0.0.0');
}

/** True if the request came by https: to us, or to the outermost of the trusted proxies. */
export function cameByHttps(ctx: Context, trustedProxies: number): boolean {
  if ((ctx.req.socket as Partial<TLSSocket>).encrypted) return true;
  if (trustedProxies === 0) return false;
  const [scheme] = ctx
    .get('x-forwarded-proto')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .slice(-trustedProxies);
  return scheme === 'https';
}
