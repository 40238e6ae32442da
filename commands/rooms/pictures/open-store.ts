import { folderStore } from './folder-store.js';
import { s3Store, type S3Settings } from './s3-store.js';
import { PictureStoreError, type PictureStore } from './store.js';

export interface PictureSettings {
  /** A bucket of an S3-compatible store. */
  s3: S3Settings | null;
  /** A folder of the machine, for development. */
  folder: string | null;
}

function failed(cause: unknown): never {
  throw new PictureStoreError('The storage for pictures does not work.', { cause });
}

/** The store that is set up; null for none, without which pictures have addresses elsewhere only. */
export function createPictureStore({ s3, folder }: PictureSettings): PictureStore | null {
  const store = s3 ? s3Store(s3) : folder !== null && folderStore(folder);
  if (!store) return null;
  return {
    put: (key, content) => store.put(key, content).catch(failed),
    get: (key) => store.get(key).catch(failed),
    remove: (key) => store.remove(key).catch(failed),
  };
}
