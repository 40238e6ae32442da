import { randomBytes } from 'node:crypto';

/** A picture of one pixel, and variants of the same kind: bytes after the end of a PNG are not shown. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
export const newPng = (bytes = 16): Buffer => Buffer.concat([PIXEL, randomBytes(bytes)]);
