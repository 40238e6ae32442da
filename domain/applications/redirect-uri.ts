/** Hosts of the loopback interface, as URLs have them (RFC 8252, 7.3). */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL leads to the person's own machine, by plain HTTP. */
export const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOOPBACK.has(hostname);

/**
 * The web site of an origin or a redirect URI: its origin, on the loopback interface without the port, since
 * redirects match at any. Null for what is no web site, such as `null` and an app's own scheme.
 */
export function toSite(uri: string): string | null {
  if (!URL.canParse(uri)) return null;
  const url = new URL(uri);
  if (isLoopback(url)) return `http://${url.hostname}`;
  return url.protocol === 'https:' ? url.origin : null;
}

/**
 * The web sites whose pages an application with these redirect URIs consists of
 * (docs/rules/credentials.md#applications-in-a-browser).
 */
export const toSites = (redirectUris: readonly string[]): string[] => [
  ...new Set(redirectUris.flatMap((uri) => toSite(uri) ?? [])),
];

/** Whether a page of this origin, as browsers send it, is of one of the sites. */
export function isOfSites(sites: readonly string[], origin: string): boolean {
  const site = toSite(origin);
  return site !== null && new URL(origin).origin === origin && sites.includes(site);
}
