/** Hosts of the loopback interface, as they appear in URLs (RFC 8252, 7.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True if a URL leads to the person's own machine by plain HTTP. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK.has(hostname);

/**
 * Returns the origin of a redirect URI. On the loopback interface it has no port, since redirects match at
 * any port. Null if the URI is not on the web, such as `null` or an app's own scheme.
 */
export function toSite(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (isLoopback(url)) return `http://${url.hostname}`;
  return url.protocol === 'https:' ? url.origin : null;
}

/**
 * Returns the websites of an application with these redirect URIs
 * (docs/rules/credentials.md#applications-in-a-browser).
 */
export const toSites = (redirectUris: readonly string[]): string[] => [
  ...new Set(redirectUris.flatMap((uri) => toSite(uri) ?? [])),
];

/** True if an origin, as sent by a browser, belongs to one of the sites. */
export function isOfSites(sites: readonly string[], origin: string): boolean {
  const site = toSite(origin);
  return site !== null && new URL(origin).origin === origin && sites.includes(site);
}
