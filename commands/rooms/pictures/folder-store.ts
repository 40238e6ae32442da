import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureStore } from './store.js';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Stores pictures as files in a folder that all processes share. A file is either complete or does not exist.
 */
export const folderStore = (folder: string): PictureStore => ({
  async put(key, content) {
    await mkdir(folder, { recursive: true });
    const part = join(folder, `${key}.${randomUUID()}.part`);
    await writeFile(part, content);
    await rename(part, join(folder, key));
  },
  async get(key) {
    try {
      const file = await open(join(folder, key));
      return { bytes: (await file.stat()).size, content: file.createReadStream() };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
  async remove(key) {
    await rm(join(folder, key), { force: true });
  },
});
