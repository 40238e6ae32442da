import type { Readable } from 'node:stream';
import type { PictureKey } from '../../../domain/rooms/picture.js';

/** The store of pictures does not work at present. `cause`: its own error. */
export class PictureStoreError extends Error {
  override readonly name = 'PictureStoreError';
}

/** A stored picture as it is read: in parts, so that a slow reader costs no memory. */
export interface StoredPicture {
  bytes: number;
  content: Readable;
}

/** Where uploaded pictures are. Errors: `PictureStoreError`, which is worth a retry. */
export interface PictureStore {
  /** Stores a picture; the same one again changes nothing. */
  put(key: PictureKey, content: Uint8Array): Promise<void>;
  /** Null if there is none. */
  get(key: PictureKey): Promise<StoredPicture | null>;
  /** Removes a picture, if there is one. */
  remove(key: PictureKey): Promise<void>;
}
