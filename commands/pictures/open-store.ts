import { folderStore } from './folder-store.js';
import { s3Store, type S3Settings } from './s3-store.js';
import type { PictureStore } from './store.js';

export interface PictureSettings {
  /** A bucket of an S3-compatible store. */
  s3: S3Settings | null;
  /** A folder of the machine, for development. */
  folder: string | null;
}

/** The store that is set up; null for none, without which pictures have addresses elsewhere only. */
export function createPictureStore({ s3, folder }: PictureSettings): PictureStore | null {
  if (s3) return s3Store(s3);
  return folder === null ? null : folderStore(folder);
}
