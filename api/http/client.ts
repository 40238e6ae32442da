import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Context } from 'koa';

const MAPPED_IPV4 = /^::ffff:(\d+(\.\d+){3})$/i;

/** `192.0.2.7:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`: some proxies write the port that they saw, too. */
const WITH_PORT = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Nobody's address. */
const UNKNOWN = '0.0.0.0';

/**
 * The client's address: what the outermost of the trusted proxies saw, never what a client wrote (koa's `ips`, with
 * `maxIpsCount`), without its port. IPv4 in IPv6's clothes comes out as IPv4. The socket's own counts where no proxy is
 * trusted, and where there is no header: nobody was in between then. An entry that can't be read is `0.0.0.0`, and not
 * the socket's: that is the proxy's, which an allowlist may well hold, and anybody would come in by it. As nobody's
 * address it is in no allowlist but one that lets all of IPv4 in, and all who have it share one bucket.
 */
export function clientAddress(ctx: Context): string {
  const [entry = ctx.req.socket.remoteAddress ?? ''] = ctx.ips;
  const [, ipv4, ipv6] = WITH_PORT.exec(entry) ?? [];
  const [address = ''] = (ipv4 ?? ipv6 ?? entry).split('%');
  return MAPPED_IPV4.exec(address)?.[1] ?? (isIP(address) ? address : UNKNOWN);
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
