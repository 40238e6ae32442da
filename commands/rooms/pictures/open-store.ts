import { folderStore } from './folder-store.js';
import { s3Store, type S3Settings } from './s3-store.js';
import { PictureStoreError, type PictureStore } from './store.js';

export interface PictureSettings {
  /** A bucket in an S3-compatible store. */
  s3: S3Settings | null;
  /** A local folder, for development. */
  folder: string | null;
}

function failed(cause: unknown): never {
  throw new PictureStoreError('The storage for pictures does not work.', { cause });
}

/**
 * Returns the configured store; null if there is none, in which case pictures can only be hosted elsewhere.
 */
export function createPictureStore({ s3, folder }: PictureSettings): PictureStore | null {
  const store = s3 ? s3Store(s3) : folder !== null && folderStore(folder);
  if (!store) return null;
  return {
    put: (key, content) => store.put(key, content).catch(failed),
    get: (key) => store.get(key).catch(failed),
    remove: (key) => store.remove(key).catch(failed),
  };
}
