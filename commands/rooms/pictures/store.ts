import type { Readable } from 'node:stream';
import type { PictureKey } from '../../../domain/rooms/picture.js';

/** Thrown if the picture store is not working at present. `cause`: its own error. */
export class PictureStoreError extends Error {
  override readonly name = 'PictureStoreError';
}

/** A stored picture, read in parts so that a slow reader needs no memory. */
export interface StoredPicture {
  bytes: number;
  content: Readable;
}

/** Where uploaded pictures are stored. Errors: `PictureStoreError`, after which a retry makes sense. */
export interface PictureStore {
  /** Stores a picture. Storing the same one again changes nothing. */
  put(key: PictureKey, content: Uint8Array): Promise<void>;
  /** Null if there is none. */
  get(key: PictureKey): Promise<StoredPicture | null>;
  /** Removes a picture, if there is one. */
  remove(key: PictureKey): Promise<void>;
}
