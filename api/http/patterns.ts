// Patterns of texts in the JSON Schemas of the document. They have no flags, look-arounds or property
// classes, which validators in other languages lack. A pattern may reject a rare spelling that the service
// accepts, and may accept texts that the service rejects.

/** Any text that Postgres can store. */
export const STORABLE = '^[^\\u0000]*$';

/** The same without white space at the beginning and the end. */
export const TRIMMED = '^([^\\u0000\\s]([^\\u0000]*[^\\u0000\\s])?)?$';

/** At most this many words. */
export const wordsPattern = (max: number): string =>
  `^\\s*[^\\u0000\\s]+(\\s+[^\\u0000\\s]+){0,${max - 1}}\\s*$`;

const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const typeId = (prefix: string): string => `${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}`;
export const MEMBER_ID = `^(${typeId('mem')}|${UUID})$`;
export const ACTOR = `^(system|guest|${typeId('key')}|${typeId('mem')}|${UUID})$`;

/** RFC 3339 from 1970 on, in capital letters and without leap seconds; seconds may be left out. */
export const TIMESTAMP =
  '^(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$';

/** `Area/Place`, or `UTC`, in any letter case. */
export const TIME_ZONE = '^([Uu][Tt][Cc]|[A-Za-z]+(/[A-Za-z_-]+){1,2})$';

/** A cursor is base64url. Its content is opaque to clients. */
export const CURSOR = '^[A-Za-z0-9_-]+$';

const ATOM = "[!#-'*+/-9=?A-Z^-~-]+";
const DOMAIN_LETTER = '[0-9A-Za-z\\u00a1-\\uffff]';
const DOMAIN_LABEL = `${DOMAIN_LETTER}([0-9A-Za-z\\u00a1-\\uffff-]*${DOMAIN_LETTER})?`;
/**
 * An email address without quotes; its domain may be international, has two labels or more, and the
 * last begins with a letter.
 */
export const EMAIL =
  `^${ATOM}(\\.${ATOM})*@(${DOMAIN_LABEL}\\.)+[A-Za-z\\u00a1-\\uffff]([0-9A-Za-z\\u00a1-\\uffff-]*` +
  `${DOMAIN_LETTER})?$`;
/** A local part that is too long for an email address. */
export const LONG_LOCAL_PART = '^[^@]{65}';

const PORT = '(:([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]))?';
const LABEL = '[a-z0-9]([a-z0-9-]*[a-z0-9])?';
const ADDRESS = '((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/** The last label of a host name begins with a letter: otherwise it would be parsed as an IP address. */
const HOST = `((${LABEL}\\.)*[a-z]([a-z0-9-]*[a-z0-9])?|${ADDRESS})`;
const LOOPBACK = '(localhost|127\\.0\\.0\\.1|\\[::1\\])';
const REST = '([/?][^\\s#\\u0000]*)?';

/** The origin of a website as browsers send it; see also `DEFAULT_PORT`. */
export const ORIGIN = `^https?://${HOST}${PORT}$`;
export const DEFAULT_PORT = '^(https://[^/]*:443|http://[^/]*:80)$';
export const REDIRECT_URI =
  `^(https://${HOST}${PORT}${REST}|http://` +
  `${LOOPBACK}${PORT}${REST}|[a-z][a-z0-9+-]*(\\.[a-z0-9+-]+)+:/{0,2}[A-Za-z0-9._~=&%/?-]*)$`;
/** An http or https URL. */
export const WEB_URL = '^https?://[^/?#@:\\s]+(:\\d+)?([/?#][^\\s]*)?$';
/** The URL of an image: https with a host name, or a picture that was uploaded to a development service. */
export const IMAGE_URL =
  `^(https://${HOST}${PORT}([/?#].*)?|http://(${LABEL}\\.)*` +
  `${LABEL}${PORT}/pictures/[0-9a-f]{64}\\.(png|jpg|webp))$`;

const H = '[0-9A-Fa-f]{1,4}';
const IPV6 = [
  `(${H}:){7}${H}`,
  `(${H}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((n) => `(${H}:){1,${7 - n}}(:${H}){1,${n}}`),
  `:(:${H}){1,7}`,
  '::',
  `::([Ff]{4}:)?${ADDRESS}`,
].join('|');
/** An IPv4 or IPv6 range in CIDR notation, or an address. */
export const IP_RANGE = `^(${ADDRESS}(/([12]?\\d|3[0-2]))?|(${IPV6})(/(\\d{1,2}|1[01]\\d|12[0-8]))?)$`;

/**
 * Control characters, marks that change the text direction, and other invisible characters of the first
 * plane, except joiners inside words.
 */
const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff\\ufff9-\\ufffb';
/** One line of visible text: docs/rules/api.md#names. */
export const NAME = `^[^${UNSEEN}\\s]([^${UNSEEN}]*[^${UNSEEN}\\s])?$`;
/** A web or email address within a text. */
export const ADDRESS_IN_NAME =
  '://|[Ww]{3}\\.|[^\\s@]@[^\\s@]+\\.[^\\s@]|[A-Za-z0-9]\\.[A-Za-z]{2,}([/?#]|:\\d)';
