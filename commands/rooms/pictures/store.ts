import type { Readable } from 'node:stream';
import type { StoredKey } from '../../../domain/rooms/picture.js';

/** Thrown if the picture store is not working at present. `cause`: its own error. */
export class PictureStoreError extends Error {
  override readonly name = 'PictureStoreError';
}

/** A stored file, read in parts so that a slow reader needs no memory. */
export interface StoredPicture {
  bytes: number;
  content: Readable;
}

/**
 * Where uploaded pictures, and PDFs with terms, are stored. Errors: `PictureStoreError`, after which a
 * retry makes sense.
 */
export interface PictureStore {
  /** Stores a file. Storing the same one again changes nothing. */
  put(key: StoredKey, content: Uint8Array): Promise<void>;
  /** Null if there is none. */
  get(key: StoredKey): Promise<StoredPicture | null>;
  /** Removes a file, if there is one. */
  remove(key: StoredKey): Promise<void>;
}
