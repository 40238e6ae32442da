import { randomBytes } from 'node:crypto';

/** A picture of one pixel, and others of the same kind: what follows the end of a PNG is not shown. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
export const newPng = (bytes = 16): Buffer => Buffer.concat([PIXEL, randomBytes(bytes)]);
