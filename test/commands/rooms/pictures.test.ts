import test from 'ava';
import type { DataSource } from 'typeorm';
import {
  keyOfPicture,
  listUnusedPictures,
  removeUnusedPicture,
  storePicture,
} from '../../../commands/rooms/pictures/pictures.js';
import type { PictureStore } from '../../../commands/rooms/pictures/store.js';
import { DAY_MS } from '../../../domain/durations.js';
import { picturePath, type StoredKey } from '../../../domain/rooms/picture.js';
import { newPlace, untilLocked, withScratchDatabase } from '../../support/scratch-database.js';

/** A store that remembers keys, and can fail or wait. */
function memory() {
  const keys = new Set<StoredKey>();
  const store: PictureStore & { keys: typeof keys; before: (() => Promise<void>) | null } = {
    keys,
    before: null,
    async put(key) {
      await store.before?.();
      keys.add(key);
    },
    get: async () => null,
    async remove(key) {
      await store.before?.();
      keys.delete(key);
    },
  };
  return store;
}

const content = Buffer.from('picture');
const tomorrow = (): Date => new Date(Date.now() + DAY_MS);

/** Removes what is unused, like the nightly job. Returns how many pictures. */
async function removeUnused(db: DataSource, store: PictureStore, before: Date): Promise<number> {
  const keys = await listUnusedPictures(db.manager, { before, after: '', limit: 10 });
  let removed = 0;
  for (const key of keys) if (await removeUnusedPicture(db, store, { key, before })) removed++;
  return removed;
}

test('a picture that nothing shows is removed after a day, with its row, and one used by a room or as a logo stays', async (t) => {
  await withScratchDatabase(async (db) => {
    const { id, workspace_id } = await newPlace(db);
    const store = memory();
    const [shown, logo, pageLogo, unused] = ['a', 'b', 'c', 'd'].map((text) =>
      keyOfPicture(workspace_id, Buffer.from(text), 'png'),
    );
    const kept = [shown!, logo!, pageLogo!];
    for (const key of [...kept, unused!]) await storePicture(db, store, { workspace_id, key, content });
    await db.query(`UPDATE rooms SET image_urls = $2 WHERE id = $1`, [
      id,
      [`https://x.example${picturePath(shown!)}`],
    ]);
    await db.query(`UPDATE workspaces SET logo_url = $2 WHERE id = $1`, [workspace_id, picturePath(logo!)]);
    await db.query(
      `INSERT INTO booking_pages (workspace_id, slug, enabled, embed_origins, questions, theme, languages,
        guest_hold_seconds)
       VALUES ($1, 'harbour', true, '{}', '[]', jsonb_build_object('logo_url', $2::text), '{en}', 900)`,
      [workspace_id, picturePath(pageLogo!)],
    );
    t.is(await removeUnused(db, store, new Date(Date.now() - DAY_MS)), 0);
    t.is(await removeUnused(db, store, tomorrow()), 1);
    t.deepEqual([...store.keys], kept);
    t.is((await db.query(`SELECT FROM pictures`)).length, 3);
  });
});

test('a process that dies while it stores or removes a picture leaves a row with which the next one finishes', async (t) => {
  await withScratchDatabase(async (db) => {
    const { workspace_id } = await newPlace(db);
    const store = memory();
    const key = keyOfPicture(workspace_id, content, 'png');
    const dies = async (): Promise<never> => {
      throw new Error('the process ends');
    };
    store.before = dies;
    await t.throwsAsync(storePicture(db, store, { workspace_id, key, content }));
    t.is((await db.query(`SELECT FROM pictures`)).length, 1);
    store.before = null;
    store.keys.add(key);
    store.before = dies;
    await t.throwsAsync(removeUnused(db, store, tomorrow()));
    t.is((await db.query(`SELECT FROM pictures`)).length, 1);
    store.before = null;
    t.is(await removeUnused(db, store, tomorrow()), 1);
    t.is(store.keys.size, 0);
  });
});

test('a picture that is uploaded again during its removal exists afterwards', async (t) => {
  await withScratchDatabase(async (db) => {
    const { workspace_id } = await newPlace(db);
    const store = memory();
    const key = keyOfPicture(workspace_id, content, 'png');
    await storePicture(db, store, { workspace_id, key, content });
    let uploaded: Promise<void> | undefined;
    store.before = async () => {
      store.before = null;
      // It waits for the row that is being removed.
      uploaded = storePicture(db, store, { workspace_id, key, content });
      await untilLocked(db);
    };
    await removeUnused(db, store, tomorrow());
    await uploaded;
    t.true(store.keys.has(key));
    t.is((await db.query(`SELECT FROM pictures`)).length, 1);
  });
});
