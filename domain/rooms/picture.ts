/** The maximum size of a picture. */
export const MAX_PICTURE_BYTES = 5 * 1024 * 1024;

/** The maximum number of stored pictures of a workspace, including those that nothing shows any more. */
export const MAX_PICTURES = 1_000;

export const PICTURE_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
export type PictureKind = keyof typeof PICTURE_TYPES;

const startsWith = (content: Uint8Array, at: number, bytes: number[]): boolean =>
  bytes.every((byte, n) => content[at + n] === byte);

/**
 * Returns the format of a picture, determined by its first bytes regardless of its file name; null for
 * anything else.
 */
export function pictureKind(content: Uint8Array): PictureKind | null {
  if (startsWith(content, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  if (startsWith(content, 0, [0xff, 0xd8, 0xff])) return 'jpg';
  const isRiff = startsWith(content, 0, [0x52, 0x49, 0x46, 0x46]);
  return isRiff && startsWith(content, 8, [0x57, 0x45, 0x42, 0x50]) ? 'webp' : null;
}

const KEY = /^[0-9a-f]{64}\.(png|jpg|webp)$/;

/** The name of a stored picture: the hash of its workspace and content, and its format. */
export type PictureKey = `${string}.${PictureKind}`;

export const isPictureKey = (text: string): text is PictureKey => KEY.test(text);

export const typeOfPicture = (key: PictureKey): string =>
  PICTURE_TYPES[key.slice(key.indexOf('.') + 1) as PictureKind];

/** A file in the store: a picture, or a PDF with terms, whose name is made in the same way. */
export type StoredKey = PictureKey | TermsKey;
export type TermsKey = `${string}.pdf`;

/** The media type of the terms of a booking page. */
export const TERMS_TYPE = 'application/pdf';

/** Returns whether a file is a PDF, determined by its first bytes regardless of its file name. */
export const isPdf = (content: Uint8Array): boolean => startsWith(content, 0, [0x25, 0x50, 0x44, 0x46, 0x2d]);

export const typeOfStored = (key: StoredKey): string => (isPictureKey(key) ? typeOfPicture(key) : TERMS_TYPE);

/** Returns the path of a picture, from the root of the service. */
export const picturePath = (key: PictureKey): string => `/pictures/${key}`;

/** Returns the key in the URL of an uploaded picture; null for any other URL. */
export function pictureKeyIn(url: string): PictureKey | null {
  const [, key] = url.split('/pictures/', 2);
  return key !== undefined && isPictureKey(key) ? key : null;
}
