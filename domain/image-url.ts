import { pictureKeyIn } from './rooms/picture.js';

/**
 * Host names as browsers write them. In a Content-Security-Policy, other characters in a host would end the
 * directive.
 */
const HOST = /^[a-z0-9._-]+$/;

/**
 * Returns the origin of an image that pages may show. Null if the text is not an https URL or its host has
 * other characters.
 */
export function imageOrigin(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, origin } = new URL(url);
  return protocol === 'https:' && HOST.test(hostname) ? origin : null;
}

/**
 * True if pages show this image: it is from an https site, or an uploaded picture (in development, the
 * service serves those over http).
 */
export const isShownImage = (url: string): boolean => imageOrigin(url) !== null || pictureKeyIn(url) !== null;
