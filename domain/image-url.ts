import { pictureKeyIn } from './rooms/picture.js';

/**
 * Host names as browsers write them. Other characters that a URL may have in its host end a
 * directive of a page's policy.
 */
const HOST = /^[a-z0-9._-]+$/;

/**
 * The origin of an image (https) that a page may show; null for a URL that is none, or
 * has another kind of host.
 */
export function imageOrigin(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, origin } = new URL(url);
  return protocol === 'https:' && HOST.test(hostname) ? origin : null;
}

/**
 * Whether pages show an image: it is from a site with https, or an uploaded picture, for which the service
 * in development has http.
 */
export const isShownImage = (url: string): boolean => imageOrigin(url) !== null || pictureKeyIn(url) !== null;
