import type { PictureKey } from '../../domain/picture.js';

/** The store of pictures does not work at present. `cause`: its own error. */
export class PictureStoreError extends Error {
  override readonly name = 'PictureStoreError';
}

/** Where uploaded pictures are. Errors: `PictureStoreError`, which is worth a retry. */
export interface PictureStore {
  /** Stores a picture; the same one again changes nothing. */
  put(key: PictureKey, content: Uint8Array): Promise<void>;
  /** Null if there is none. */
  get(key: PictureKey): Promise<Uint8Array | null>;
  /** Removes a picture, if there is one. */
  remove(key: PictureKey): Promise<void>;
}
